import { type OpenStoreOptions, openStore } from "../../store/open-store.js";
import type { Store } from "../../store/store.js";
import type { Notice } from "../notice.js";

/** Opens a store; rebuilds its derived data once after an update of Ralph. */
export async function openFilledStore(
  options: OpenStoreOptions,
  notify: (notice: Notice) => void,
): Promise<Store> {
  const store = await openStore(options);
  if (await store.isDerivedFilled()) return store;
  const { fillIndex } = await import("../derived/fill-index.js");
  await store.transaction((tx) => fillIndex(tx, notify));
  return store;
}
