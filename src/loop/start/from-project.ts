import type { AgentEvent } from "../../agents/streams/agent-event.js";
import { relativePath } from "../../files/relative-path.js";

/** A text that names the files of the project as the project does, wherever it lies. */
export function textFromProject(root: string, text: string): string {
  return text.replaceAll(`file://${root}/`, "").replaceAll(`${root}/`, "");
}

/** The same for what an agent does; its commands stay as they are. */
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
