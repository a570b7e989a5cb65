/** Something that a repository asks of Ralph, which is not done until the user has allowed it. */
export interface TrustRequest {
  kind: "setting" | "link" | "records" | "package" | "stored-command" | "imported-text";
  /** Of the setting, link, package or record, such as `run.verify`. */
  name: string;
  /** What exactly is asked; another value is another request. */
  value: string;
  /** What it makes Ralph do. */
  effect: string;
}

/** The name under which a project asks to define an agent. */
export function agentRequestName(agent: string): string {
  return `agents.${agent}`;
}
