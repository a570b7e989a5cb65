import type { Repositories } from "../store/store.js";

/** The tasks that something which is shown refers to, so that they are not archived. */
export function listReferenced(tx: Repositories): Promise<ReadonlySet<string>> {
  return tx.tasks.listRelated();
}
