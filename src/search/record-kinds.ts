/** The kind and labels of learnings in the search index. */
export const learningKind = "learning";

/** The kind and labels of notes in the search index. */
export const noteKind = "note";

export function typeLabel(type: string): string {
  return `type:${type}`;
}

export function tagLabel(tag: string): string {
  return `tag:${tag}`;
}

/** The kind and labels of tasks in the search index. */
export const taskKind = "task";

/** On every task that is not archived. */
export const shownLabel = "state:shown";

export const statusLabel = (status: string) => `status:${status}`;
export const agentLabel = (agent: string) => `agent:${agent}`;
