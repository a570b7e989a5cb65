import type { AgentEvent } from "../../agents/streams/agent-event.js";
import { relativePath } from "../../files/relative-path.js";

/** Makes paths in a text relative to the project. */
export function textFromProject(root: string, text: string): string {
  return text.replaceAll(`file://${root}/`, "").replaceAll(`${root}/`, "");
}

/** Makes paths in an agent's event relative to the project; commands are unchanged. */
export function eventFromProject(root: string, event: AgentEvent): AgentEvent {
  if (event.kind === "started") return { ...event, params: paramsFromProject(root, event.params) };
  if (event.kind !== "action") return event;
  const { params, output, error } = event.action;
  return {
    ...event,
    action: {
      ...event.action,
      params: paramsFromProject(root, params),
      ...(output !== undefined && { output: textFromProject(root, output) }),
      ...(error !== undefined && { error: textFromProject(root, error) }),
    },
  };
}

function paramsFromProject(root: string, params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "string" && /(?:path|file)$/i.test(name) ? relativePath(root, value) : value,
    ]),
  );
}
