import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings } from "../config/default-settings.js";
import type { LoadedSettings } from "../config/load-settings.js";
import { type Environment, hasSettingVariable, settingsFileName, userHome } from "../config/paths.js";
import type { Clock } from "../domain/clock.js";
import { type RandomHex, randomHex } from "../domain/note-id.js";
import { RalphError } from "../domain/ralph-error.js";
import { findProject } from "../files/find-project.js";
import { openSqliteStore, sqlitePath } from "../store/sqlite/open-sqlite-store.js";
import type { Store } from "../store/store.js";
import type { Memory } from "./memory.js";
import { noteNotFound } from "./note-not-found.js";
import { type Place, projectPlace, userPlace } from "./place.js";
import { filesOf, type Notice, type Shelf } from "./shelf.js";

export interface OpenMemoryOptions {
  /** A folder inside the project; the current one by default. */
  root?: string | undefined;
  /** Whose memory: the project's by default. */
  owner?: "project" | "user";
  environment?: Environment;
  clock?: Clock;
  random?: RandomHex;
  /** How long to go on trying while other processes write. */
  patienceMs?: number;
  onNotice?: (notice: Notice) => void;
  /** The process ends right after `close`: databases are left to its end, which saves time. */
  isShortLived?: boolean;
}

/** Opens a memory. Nothing is created until something is written. */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  const { environment = process.env, clock = () => new Date(), random = randomHex } = options;
  const { owner = "project", onNotice: notify = () => undefined, patienceMs } = options;
  const ralphHome = userHome(environment);
  const project = findProject(existingFolder(options.root ?? (environment.RALPH_ROOT || process.cwd())), {
    userHome: ralphHome,
  });
  const stores = new Map<string, Promise<Store>>();
  const written = new Set<string>();

  const openStore = (directory: string): Promise<Store> => {
    const known = stores.get(directory);
    if (known !== undefined) return known;
    const opening = openSqliteStore({ directory, ...(patienceMs !== undefined && { patienceMs }) });
    stores.set(directory, opening);
    return opening;
  };

  const hasStore = (directory: string) => stores.has(directory) || existsSync(sqlitePath(directory));

  const settingsFiles = (): string[] => {
    const ownFile = join(project.root, settingsFileName);
    const projectFile = existsSync(ownFile) ? ownFile : join(project.home, settingsFileName);
    return [join(ralphHome, settingsFileName), projectFile];
  };

  const settings = async (): Promise<LoadedSettings> => {
    const { loadSettings } = await import("../config/load-settings.js");
    return loadSettings({ files: settingsFiles(), environment, kept: await keptSettings() });
  };

  /** Settings can be read without a database, and then also when it is damaged. */
  const keptSettings = async (): Promise<Store["settingsCache"] | undefined> => {
    const directory = join(project.home, ".ralph");
    try {
      return hasStore(directory) ? (await openStore(directory)).settingsCache : undefined;
    } catch (error) {
      if (error instanceof RalphError) return undefined;
      throw error;
    }
  };

  /** Most projects set nothing, and then even the code that reads settings is not needed. */
  const scope = async (): Promise<"repository" | "branch"> => {
    const isSet = settingsFiles().some((path) => existsSync(path)) || hasSettingVariable(environment);
    return (isSet ? (await settings()).settings : defaultSettings)["memories.scope"];
  };

  const place = async (): Promise<Place> =>
    owner === "user" ? userPlace(ralphHome) : projectPlace(project, await scope());

  const shelfAt = async (at: Place): Promise<Shelf> => ({
    place: at,
    store: await openStore(at.storeDirectory),
    clock,
    random,
    notify,
  });

  /** The shelf, unless there is nothing to read: looking around leaves no traces. */
  const findShelf = async (at: Place): Promise<Shelf | undefined> => {
    const isThere = hasStore(at.storeDirectory) || filesOf(at).some((file) => existsSync(file.path));
    return isThere ? shelfAt(at) : undefined;
  };

  const repairing = async <Result>(shelf: Shelf, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== "index-damaged") throw error;
      const { rebuildIndex } = await import("./rebuild-index.js");
      await rebuildIndex(shelf);
      notify({ kind: "index-rebuilt", path: sqlitePath(shelf.place.storeDirectory) });
      return work();
    }
  };

  const reading = async <Result>(
    work: (shelf: Shelf) => Promise<Result>,
    otherwise: () => Result,
  ): Promise<Result> => {
    const shelf = await findShelf(await place());
    return shelf === undefined ? otherwise() : repairing(shelf, () => work(shelf));
  };

  const writing = async <Result>(work: (shelf: Shelf) => Promise<Result>): Promise<Result> => {
    const shelf = await shelfAt(await place());
    written.add(shelf.place.storeDirectory);
    return repairing(shelf, () => work(shelf));
  };

  /** The project's shelf and the user's, as far as they exist. */
  const allShelves = async (): Promise<Shelf[]> => {
    const places = [await place(), ...(owner === "user" ? [] : [userPlace(ralphHome)])];
    const found = await Promise.all(places.map(findShelf));
    return found.filter((shelf) => shelf !== undefined);
  };

  // Verbs are loaded when they are called: a command that searches does not wait for the code that writes.
  return {
    project,
    settings,
    addNote: (note) => writing(async (shelf) => (await import("./add-note.js")).addNote(shelf, note)),
    editNote: (id, edit) =>
      writing(async (shelf) => (await import("./edit-note.js")).editNote(shelf, id, edit)),
    deleteNote: (id) => writing(async (shelf) => (await import("./delete-note.js")).deleteNote(shelf, id)),
    getNote: (id) =>
      reading(
        async (shelf) => (await import("./list-notes.js")).getNote(shelf, id),
        () => {
          throw noteNotFound(id);
        },
      ),
    listNotes: (listing = {}) =>
      reading(
        async (shelf) => (await import("./list-notes.js")).listNotes(shelf, listing),
        () => [],
      ),
    searchNotes: (search) =>
      reading(
        async (shelf) => (await import("./search-notes.js")).searchNotes(shelf, search),
        () => [],
      ),
    primeNotes: async (prime = {}) =>
      (await import("./prime-notes.js")).primeNotes(await allShelves(), prime),
    primeText: async (prime = {}) => (await import("./prime-notes.js")).primeText(await allShelves(), prime),
    initNotes: (init) => writing(async (shelf) => (await import("./init-notes.js")).initNotes(shelf, init)),
    async initProject() {
      const isNew = !hasStore((await place()).storeDirectory);
      return writing(async (shelf) => (await import("./init-notes.js")).initProject(shelf, isNew));
    },
    rebuildIndex: () => writing(async (shelf) => (await import("./rebuild-index.js")).rebuildIndex(shelf)),
    async checkHealth(health) {
      const { checkHealth } = await import("./health.js");
      return checkHealth(
        { project, ralphHome, owner, settings, place, shelfAt, closeStores: () => closeStores(false), clock },
        health,
      );
    },
    async close() {
      for (const directory of written) await backUp(directory);
      await closeStores(options.isShortLived ?? false);
    },
  };

  async function backUp(directory: string): Promise<void> {
    try {
      await (await stores.get(directory))?.backUpIfDue(clock());
    } catch (error) {
      notify({ kind: "backup-failed", message: error instanceof Error ? error.message : String(error) });
    }
  }

  async function closeStores(isShortLived: boolean): Promise<void> {
    const opened = await Promise.allSettled(stores.values());
    stores.clear();
    for (const store of opened) {
      // One that could not be opened has been reported by whoever needed it.
      if (store.status === "rejected") continue;
      if (isShortLived) await store.value.leave();
      else await store.value.close();
    }
  }
}

function existingFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new RalphError("wrong-use", `Not a folder: ${path}`, { hint: "give an existing folder with --root" });
}
