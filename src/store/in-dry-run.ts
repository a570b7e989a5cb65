import type { Repositories, Store } from "./store.js";

/** Runs `work` in a transaction that is rolled back, and returns its result. */
export async function inDryRun<Result>(
  store: Store,
  work: (tx: Repositories) => Promise<Result>,
): Promise<Result> {
  let result: { value: Result } | undefined;
  try {
    await store.transaction(async (tx) => {
      result = { value: await work(tx) };
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  if (result === undefined) throw new Error("A dry run ended without a result");
  return result.value;
}

class RolledBack extends Error {}
