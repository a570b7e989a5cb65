import { existsSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings } from "../../../config/default-settings.js";
import type { Clock } from "../../../domain/clock.js";
import { type RandomHex, randomHex } from "../../../domain/knowledge/record-ids.js";
import { ignoreInGit } from "../../../files/private-directory.js";
import { hasStore, openStore as openEmpty } from "../../../store/open-store.js";
import type { Store } from "../../../store/store.js";
import { type MemoryAccess, memoryAccess } from "../../project/memory-access.js";
import type { Place, StoreContext } from "../../project/place.js";
import { openFilledStore } from "../../project/project-stores.js";
import { hasPublishedFiles, importPublishedFiles } from "./import-published-files.js";

export interface LearningsFolderOptions {
  clock?: Clock;
  random?: RandomHex;
  /** How long to retry while other processes write. */
  busyTimeoutMs?: number;
}

/**
 * A folder of learnings that belongs to no project. Nothing is created until the first write, unless the folder has other
 * tools' files: those are imported first.
 */
export function openLearningsFolder(directory: string, options: LearningsFolderOptions = {}): MemoryAccess {
  const { clock = () => new Date(), random = randomHex, busyTimeoutMs } = options;
  const notify = () => undefined;
  const place = folderPlace(directory);
  const contextOf = (store: Store): StoreContext => ({ place, store, clock, random, notify });
  let opening: Promise<Store> | undefined;
  let empty: Promise<Store> | undefined;
  let isWritten = false;

  const openStore = async (): Promise<StoreContext> => {
    opening ??= openIn(directory, busyTimeoutMs);
    try {
      return contextOf(await opening);
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };

  return memoryAccess({
    ...{ root: directory, clock, random, notify, openStore },
    environment: {},
    actor: async () => undefined,
    settings: async () => defaultSettings,
    reportLeftOut() {},
    place: async () => place,
    findStore: async () =>
      opening !== undefined || hasStore(directory) || hasPublishedFiles(directory) ? openStore() : undefined,
    async openEmptyStore() {
      empty ??= openEmpty({ directory, isInMemory: true });
      return contextOf(await empty);
    },
    recordFinder: async () => undefined,
    noteWritten() {
      isWritten = true;
    },
    async closeAll() {
      const store = await opening?.catch(() => undefined);
      if (isWritten) await store?.backUpIfDue(clock());
      await store?.close();
      await (await empty)?.close();
    },
  });
}

/** Such a folder has no notes, but the store needs a file name for them. */
function folderPlace(directory: string): Place {
  const name = "memories.md";
  return {
    storeDirectory: directory,
    home: { path: join(directory, name), name, origin: "user" },
    copy: undefined,
  };
}

async function openIn(directory: string, busyTimeoutMs: number | undefined): Promise<Store> {
  // Ignore only our files: unlike .ralph, the folder belongs to the user.
  if (existsSync(directory)) ignoreInGit(directory, ["/memory.db*", "/backups/", "/.gitignore"]);
  const fillNew = (tx: Parameters<typeof importPublishedFiles>[0]) => importPublishedFiles(tx, directory);
  return openFilledStore(
    { directory, fillNew, ...(busyTimeoutMs !== undefined && { busyTimeoutMs }) },
    () => undefined,
  );
}
