import type { Repositories, Store } from "./store.js";

/** Runs `work` in a transaction that is undone afterwards, and tells what it would have done. */
export async function rehearse<Result>(
  store: Store,
  work: (tx: Repositories) => Promise<Result>,
): Promise<Result> {
  let result: { value: Result } | undefined;
  try {
    await store.transaction(async (tx) => {
      result = { value: await work(tx) };
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  if (result === undefined) throw new Error("A rehearsal ended without a result");
  return result.value;
}

class Undone extends Error {}
