/** How tasks are told apart from other kinds of record in the search index. */
export const taskKind = "task";

/** On every task that is not archived. */
export const shownLabel = "state:shown";

export const statusLabel = (status: string) => `status:${status}`;
export const agentLabel = (agent: string) => `agent:${agent}`;
