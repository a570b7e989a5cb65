import type { OpenPostgresOptions, SharedStore } from "../postgres/open-postgres-store.js";
import type { Tasks } from "../repositories/tasks/tasks.js";

export type OpenShared = (onOpening: OpenPostgresOptions["onOpening"]) => Promise<SharedStore>;

/** A team's store that is being opened, or has been. */
export interface Opening {
  store: Promise<SharedStore>;
  isOpen: boolean;
  failedAt: number | undefined;
  /** The tasks, to be asked before the store is open; undefined if nothing may be read before. */
  early: Promise<Pick<Tasks, "find"> | undefined>;
}

export function beginOpening(openShared: OpenShared): Opening {
  let tell: (early: Pick<Tasks, "find"> | undefined) => void = () => undefined;
  const early: Opening["early"] = new Promise((resolve) => {
    tell = resolve;
  });
  const store = openShared(({ tasks }) => tell(tasks));
  const opening: Opening = { store, isOpen: false, failedAt: undefined, early };
  store.then(
    () => {
      opening.isOpen = true;
      tell(undefined);
    },
    () => {
      opening.failedAt = performance.now();
      tell(undefined);
    },
  );
  return opening;
}
