import { existsSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings, type Settings } from "../../config/default-settings.js";
import type { LoadedSettings } from "../../config/loaded-settings.js";
import { hasSettingVariable, settingsFileName } from "../../config/paths.js";
import type { Clock } from "../../domain/clock.js";
import type { Environment } from "../../domain/environment.js";
import type { RandomHex } from "../../domain/knowledge/note-id.js";
import { messageOf } from "../../domain/message-of.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Project } from "../../files/find-project.js";
import { hasStore as isStoreIn, openStore as openStoreIn, storeFile } from "../../store/open-store.js";
import type { Store } from "../../store/store.js";
import type { Notice } from "../notice.js";
import { openFilledStore } from "./open-filled-store.js";
import { type Place, projectPlace, userPlace } from "./place.js";
import { filesOf, type Shelf } from "./shelf.js";

export interface ShelvesOptions {
  project: Project;
  /** The user's own folder. */
  ralphHome: string;
  owner: "project" | "user";
  environment: Environment;
  clock: Clock;
  random: RandomHex;
  busyTimeoutMs: number | undefined;
  overrides: Partial<Settings> | undefined;
  /** Whether stores are closed at the end, or left to the end of the process. */
  end: "close" | "leave";
  notify(notice: Notice): void;
}

/** The places of a memory, and their stores, each opened when it is first needed. */
export type Shelves = ReturnType<typeof makeShelves>;

export function makeShelves(options: ShelvesOptions) {
  const { project, ralphHome, owner, environment, clock, random, busyTimeoutMs, notify, overrides, end } =
    options;
  const stores = new Map<string, Promise<Store>>();
  const written = new Set<string>();

  const openStore = (directory: string, isInMemory = false): Promise<Store> => {
    const known = isInMemory ? undefined : stores.get(directory);
    if (known !== undefined && existsSync(storeFile(directory))) return known;
    const options = { directory, isInMemory, ...(busyTimeoutMs !== undefined && { busyTimeoutMs }) };
    const open = () => openFilledStore(options, notify);
    const opening = known === undefined ? open() : known.then((store) => openAgain(store, directory, open));
    stores.set(directory, opening);
    return opening;
  };

  /** An agent may take away the database in the middle of a run. */
  const openAgain = async (store: Store, directory: string, open: () => Promise<Store>): Promise<Store> => {
    if (!(await store.restoreFileIfMissing())) return store;
    notify({ kind: "database-put-back", path: storeFile(directory) });
    return open();
  };

  const hasStore = (directory: string) => stores.has(directory) || isStoreIn(directory);

  const settingsFiles = (): string[] => {
    const ownFile = join(project.root, settingsFileName);
    const projectFile = existsSync(ownFile) ? ownFile : join(project.home, settingsFileName);
    return [join(ralphHome, settingsFileName), projectFile];
  };

  const settings = async (): Promise<LoadedSettings> => {
    const { loadSettings } = await import("../../config/loading/load-settings.js");
    const loaded = await loadSettings({ files: settingsFiles(), environment, cache: await keptSettings() });
    return overrides === undefined ? loaded : { ...loaded, settings: { ...loaded.settings, ...overrides } };
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

  let lastStated: Settings | undefined;
  let problem = "";

  /** Settings that somebody spoils while they are in use stay what they were. */
  const statedSettings = async (): Promise<Settings> => {
    try {
      lastStated = (await settings()).settings;
      problem = "";
      return lastStated;
    } catch (error) {
      if (lastStated === undefined || !(error instanceof RalphError)) throw error;
      if (error.message !== problem) notify({ kind: "settings-unusable", message: error.message });
      problem = error.message;
      return lastStated;
    }
  };

  /** Most projects set nothing, and then even the code that reads settings is not needed. */
  const effectiveSettings = async (): Promise<Settings> => {
    const isSet = settingsFiles().some((path) => existsSync(path)) || hasSettingVariable(environment);
    const stated = isSet ? await statedSettings() : defaultSettings;
    return overrides === undefined ? stated : { ...stated, ...overrides };
  };

  const place = async (): Promise<Place> =>
    owner === "user"
      ? userPlace(ralphHome)
      : projectPlace(project, (await effectiveSettings())["memories.scope"]);

  const open = async (at: Place): Promise<Shelf> => {
    const store = await openStore(at.storeDirectory);
    return { place: at, store, clock, random, notify };
  };

  const exists = (at: Place) =>
    hasStore(at.storeDirectory) || filesOf(at).some((file) => existsSync(file.path));

  /** The shelf, unless there is nothing to read: looking around leaves no traces. */
  const find = async (at: Place): Promise<Shelf | undefined> => {
    if (!exists(at)) return undefined;
    const hasNoStore = !hasStore(at.storeDirectory);
    try {
      return await open(at);
    } catch (error) {
      const cannotMakeOne = hasNoStore && error instanceof RalphError && error.code === "file-unusable";
      if (!cannotMakeOne) throw error;
      // Notes in a folder that cannot be written can be read all the same.
      notify({ kind: "index-in-memory", path: at.storeDirectory });
      await openStore(at.storeDirectory, true);
      return open(at);
    }
  };

  const backUp = async (directory: string): Promise<void> => {
    try {
      await (await stores.get(directory))?.backUpIfDue(clock());
    } catch (error) {
      notify({ kind: "backup-failed", message: messageOf(error) });
    }
  };

  const closeStores = async (how: "close" | "leave"): Promise<void> => {
    const opened = await Promise.allSettled(stores.values());
    stores.clear();
    for (const store of opened) {
      // One that could not be opened has been reported by whoever needed it.
      if (store.status === "fulfilled") await store.value[how]();
    }
  };

  return {
    settings,
    effectiveSettings,
    place,
    open,
    hasStore,
    find: async () => find(await place()),
    /** For looking into a memory that does not exist: nothing is in it, and nothing of it stays. */
    async openEmpty(): Promise<Shelf> {
      const at = await place();
      const key = `${at.storeDirectory} (empty)`;
      const opening = stores.get(key) ?? openStoreIn({ directory: at.storeDirectory, isInMemory: true });
      stores.set(key, opening);
      return { place: at, store: await opening, clock, random, notify };
    },
    /** The owner's shelf and the user's, as far as they exist. */
    async findAll(): Promise<Shelf[]> {
      const places = [await place(), ...(owner === "user" ? [] : [userPlace(ralphHome)])];
      const found = await Promise.all(places.map(find));
      return found.filter((shelf) => shelf !== undefined);
    },
    /** A store that was written to is backed up once a day. */
    noteWritten: ({ place: { storeDirectory } }: Shelf) => void written.add(storeDirectory),
    closeStores,
    async close(): Promise<void> {
      for (const directory of written) await backUp(directory);
      await closeStores(end);
    },
  };
}
