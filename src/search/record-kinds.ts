/** How learnings are told apart from other kinds of record in the search index. */
export const learningKind = "learning";

/** How notes are told apart from other kinds of record in the search index. */
export const noteKind = "note";

export function typeLabel(type: string): string {
  return `type:${type}`;
}

export function tagLabel(tag: string): string {
  return `tag:${tag}`;
}

/** How tasks are told apart from other kinds of record in the search index. */
export const taskKind = "task";

/** On every task that is not archived. */
export const shownLabel = "state:shown";

export const statusLabel = (status: string) => `status:${status}`;
export const agentLabel = (agent: string) => `agent:${agent}`;
