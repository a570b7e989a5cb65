import { existsSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings } from "../../../config/default-settings.js";
import type { Clock } from "../../../domain/clock.js";
import { type RandomHex, randomHex } from "../../../domain/knowledge/record-ids.js";
import { ignoreInGit } from "../../../files/private-directory.js";
import { hasStore, openStore } from "../../../store/open-store.js";
import type { Store } from "../../../store/store.js";
import { openFilledStore } from "../../places/open-filled-store.js";
import type { Place } from "../../places/place.js";
import type { Shelf } from "../../places/shelf.js";
import { makeSession, type Session, type SessionShelves } from "../../session.js";
import { hasPublishedFiles, importPublishedFiles } from "./import-published-files.js";

export interface FolderSessionOptions {
  clock?: Clock;
  random?: RandomHex;
  /** How long to retry while other processes write. */
  busyTimeoutMs?: number;
}

/**
 * The session of a folder of learnings that belongs to no project. Nothing is created until the first write, unless the
 * folder has other tools' files: those are imported first.
 */
export function openFolderSession(directory: string, options: FolderSessionOptions = {}): Session {
  const { clock = () => new Date(), random = randomHex, busyTimeoutMs } = options;
  const notify = () => undefined;
  const place = folderPlace(directory);
  const shelfOf = (store: Store): Shelf => ({ place, store, clock, random, notify });
  let opening: Promise<Store> | undefined;
  let empty: Promise<Store> | undefined;
  let isWritten = false;

  const open = async (): Promise<Shelf> => {
    opening ??= openIn(directory, busyTimeoutMs);
    try {
      return shelfOf(await opening);
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };

  const shelves: SessionShelves = {
    effectiveSettings: async () => defaultSettings,
    tellLeftOut() {},
    place: async () => place,
    open,
    find: async () =>
      opening !== undefined || hasStore(directory) || hasPublishedFiles(directory) ? open() : undefined,
    async openEmpty() {
      empty ??= openStore({ directory, isInMemory: true });
      return shelfOf(await empty);
    },
    noteWritten() {
      isWritten = true;
    },
    async close() {
      const store = await opening?.catch(() => undefined);
      if (isWritten) await store?.backUpIfDue(clock());
      await store?.close();
      await (await empty)?.close();
    },
  };
  return makeSession({
    ...{ shelves, root: directory, clock, random, notify },
    environment: {},
    actor: async () => undefined,
    recordFinder: async () => undefined,
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
