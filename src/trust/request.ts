/** Something a repository asks Ralph to do, which needs the user's consent. */
export interface TrustRequest {
  kind: "setting" | "link" | "records" | "package" | "stored-command" | "imported-text";
  /** The name of the setting, link, package or record, such as `run.verify`. */
  name: string;
  /** The exact content; another value is another request. */
  value: string;
  /** What it makes Ralph do. */
  effect: string;
}

/** The name of a project's request to define an agent. */
export function agentRequestName(agent: string): string {
  return `agents.${agent}`;
}
