import type { AgentEvent } from "../../agents/streams/agent-event.js";
import { actionFromProject, paramsFromProject } from "../../files/relative-path.js";

/** Makes paths in an agent's event relative to the project; commands are unchanged. */
export function eventFromProject(root: string, event: AgentEvent): AgentEvent {
  if (event.kind === "started") return { ...event, params: paramsFromProject(root, event.params) };
  return event.kind === "action" ? { ...event, action: actionFromProject(root, event.action) } : event;
}
