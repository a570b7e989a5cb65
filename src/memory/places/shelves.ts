import { existsSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings, type Settings } from "../../config/default-settings.js";
import type { LoadedSettings } from "../../config/loaded-settings.js";
import { hasSettingVariable, settingsFileName } from "../../config/paths.js";
import type { Clock } from "../../domain/clock.js";
import type { Environment } from "../../domain/environment.js";
import type { RandomHex } from "../../domain/knowledge/record-ids.js";
import { messageOf, RalphError } from "../../domain/ralph-error.js";
import type { Project } from "../../files/find-project.js";
import { hasStore as isStoreIn, openStore as openStoreIn, storeFile } from "../../store/open-store.js";
import type { Store } from "../../store/store.js";
import type { TeamStore } from "../../store/team/team-store.js";
import type { TrustRequest } from "../../trust/request.js";
import type { Notice } from "../notice.js";
import { type Guard, makeGuard, notTrusted } from "./guard.js";
import { openFilledStore } from "./open-filled-store.js";
import { type Place, projectPlace, userPlace } from "./place.js";
import { homeIsNoProject, isPlainHome } from "./plain-home.js";
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
  patienceMs: number | undefined;
  overrides: Partial<Settings> | undefined;
  /** Goes on without a project's settings file that is not valid. */
  isForgiving?: boolean | undefined;
  isTrusted: boolean | undefined;
  /** Close stores at the end, or leave them open until the process exits. */
  end: "close" | "leave";
  /** Somebody waits for the end of this process. */
  isAwaited: boolean;
  indexUntilMs?: number | undefined;
  notify(notice: Notice): void;
  /** Called once a team's server was reached, before anything else is asked of it. */
  onReached(shelf: Shelf): Promise<void>;
}

const writesPerBackupCheck = 32;
const momentMs = 50;

/** The places of a memory, and their stores, each opened when it is first needed. */
export type Shelves = ReturnType<typeof makeShelves>;

export function makeShelves(options: ShelvesOptions) {
  const {
    project,
    ralphHome,
    owner,
    environment,
    clock,
    random,
    busyTimeoutMs,
    patienceMs,
    notify,
    onReached,
    overrides,
    isForgiving,
    end,
    isAwaited,
    indexUntilMs,
  } = options;
  const guard: Guard = makeGuard(options);
  const stores = new Map<string, Promise<Store>>();
  const written = new Set<string>();
  let writes = 0;

  const openStore = (directory: string, isInMemory = false): Promise<Store> => {
    const known = isInMemory ? undefined : stores.get(directory);
    const options = { directory, isInMemory, ...(busyTimeoutMs !== undefined && { busyTimeoutMs }) };
    const open = async () => {
      if (!isInMemory) guard.makeStoreFolder(directory);
      return openFilledStore(options, notify);
    };
    const opening = known === undefined ? open() : known.then((store) => inPlace(store, directory, open));
    stores.set(directory, opening);
    // The next verb tries again: it may be repaired by then.
    opening.catch(() => {
      if (stores.get(directory) === opening) stores.delete(directory);
    });
    return opening;
  };

  /** An agent may delete or replace the database in the middle of a run. */
  const inPlace = async (store: Store, directory: string, open: () => Promise<Store>): Promise<Store> => {
    if (store.isInPlace()) return store;
    const done = await store.reclaim();
    if (done === "restored") notify({ kind: "database-restored", path: storeFile(directory) });
    return open();
  };

  const hasStore = (directory: string) => stores.has(directory) || isStoreIn(directory);

  const settingsFiles = (): [string, string] => {
    const ownFile = join(project.root, settingsFileName);
    const projectFile = existsSync(ownFile) ? ownFile : join(project.home, settingsFileName);
    return [join(ralphHome, settingsFileName), projectFile];
  };

  /** What was wrong with the settings when they were read last; a command reads them many times. */
  let problem = "";
  const tellProblem = (notice: Extract<Notice, { kind: "settings-unusable" }>): void => {
    if (notice.message !== problem) notify(notice);
    problem = notice.message;
  };

  let leftOut: readonly TrustRequest[] = [];
  const leftOutOf = (block: string) => leftOut.filter(({ name }) => name.startsWith(`${block}.`));

  /** With `isTrusted`, as they would be if the user allowed all of them. */
  const settings = async ({ isTrusted = false } = {}): Promise<LoadedSettings> => {
    const { loadSettings } = await import("../../config/loading/load-settings.js");
    const [userFile, projectFile] = settingsFiles();
    const denied = isTrusted ? [] : guard.deniedLinks([projectFile]);
    guard.tell(denied);
    const { userFileCache } = await import("../../config/loading/user-file-cache.js");
    const sources = {
      allows: isTrusted ? () => true : guard.openAllowed(),
      environment,
      caches: [userFileCache(ralphHome), await settingsCache()] as const,
    };
    const load = (withProject: boolean) =>
      loadSettings({ ...sources, files: withProject ? [userFile, projectFile] : [userFile] });
    const loaded = await load(denied.length === 0).then(
      (usable) => {
        problem = "";
        return usable;
      },
      (error: unknown) => {
        if (!isForgiving || !(error instanceof RalphError)) throw error;
        tellProblem({ kind: "settings-unusable", message: error.message, isLeftOut: true });
        return load(false);
      },
    );
    if (!isTrusted) leftOut = loaded.leftOut;
    return overrides === undefined ? loaded : { ...loaded, settings: { ...loaded.settings, ...overrides } };
  };

  /** What somebody else's folder of records asks for, and the user has not allowed. */
  const deniedOf = (foreign: string): TrustRequest[] => {
    const links = guard.deniedLinks([foreign]);
    const records = links.length > 0 ? undefined : guard.recordsRequest(foreign);
    return records === undefined || guard.openAllowed()(records) ? links : [records];
  };

  let knownFolder: string | undefined;

  /** Where the project's records are; a running server looks each time, because somebody may replace the folder. */
  const storeFolder = (): string => {
    if (end === "leave" && knownFolder !== undefined) return knownFolder;
    const { path, foreign } = guard.findStoreFolder();
    if (foreign !== undefined) guard.tell(deniedOf(foreign));
    knownFolder = path;
    return path;
  };

  /** Reading settings needs no database, so one that is damaged is ignored. */
  const settingsCache = async (): Promise<Store["settingsCache"] | undefined> => {
    const directory = storeFolder();
    try {
      return hasStore(directory) ? (await openStore(directory)).settingsCache : undefined;
    } catch (error) {
      if (error instanceof RalphError) return undefined;
      throw error;
    }
  };

  let lastLoaded: Settings | undefined;

  /** Falls back to the last valid settings if the files become invalid. */
  const loadedSettings = async (): Promise<Settings> => {
    try {
      lastLoaded = (await settings()).settings;
      return lastLoaded;
    } catch (error) {
      if (lastLoaded === undefined || !(error instanceof RalphError)) throw error;
      tellProblem({ kind: "settings-unusable", message: error.message });
      return lastLoaded;
    }
  };

  let unsetAt = Number.NEGATIVE_INFINITY;

  /** A command asks for its settings a dozen times: where there were none a moment ago, there are none now. */
  const areUnset = (): boolean => {
    const now = performance.now();
    if (end === "leave" && now - unsetAt < momentMs) return true;
    if (settingsFiles().some((path) => existsSync(path)) || hasSettingVariable(environment)) return false;
    unsetAt = now;
    return true;
  };

  /** Most projects have no settings: the code that reads them is then not loaded. */
  const effectiveSettings = async (): Promise<Settings> => {
    const loaded = areUnset() ? defaultSettings : await loadedSettings();
    return overrides === undefined ? loaded : { ...loaded, ...overrides };
  };

  const place = async (): Promise<Place> => {
    if (owner === "user") return userPlace(ralphHome);
    const { "memories.scope": scope } = await effectiveSettings();
    return projectPlace(project, scope, storeFolder());
  };

  const shelfOf = (at: Place, store: Store): Shelf => ({
    place: at,
    store,
    clock,
    random,
    notify,
    indexUntilMs,
  });

  const teams = new Map<Store, { store: TeamStore; asSet: string }>();
  /** Those that the settings no longer name; somebody may still be at work on them. */
  const former: TeamStore[] = [];

  /** With what a team shares on a server, if the settings name one; the user's own notes are only here. */
  const withTeam = async (local: Store, at: Place): Promise<Store> => {
    if (at.storeDirectory === ralphHome) return local;
    const current = await effectiveSettings();
    const isTeam = current["store.url"] !== "";
    const opening = isTeam ? await import("./team/open-team-side.js") : undefined;
    const asSet = JSON.stringify([current["store.url"], current["project.key"]]);
    const known = teams.get(local);
    if (known?.asSet === asSet) return known.store;
    if (known !== undefined) former.push(known.store);
    teams.delete(local);
    if (opening === undefined) return local;
    const store = opening.openTeamSide(local, {
      ...{ settings: current, project, environment, busyTimeoutMs, patienceMs, notify },
      onReached: (reached) => onReached(shelfOf(at, reached)),
    });
    teams.set(local, { store, asSet });
    return store;
  };

  const openChecked = async (at: Place): Promise<Shelf> => {
    return shelfOf(at, await withTeam(await openStore(at.storeDirectory), at));
  };

  const open = async (at: Place): Promise<Shelf> => {
    if (owner === "project" && isPlainHome(project)) throw homeIsNoProject(project);
    const denied = guard.deniedLinksOf(at);
    if (denied.length > 0) throw notTrusted(denied);
    return openChecked(at);
  };

  const exists = (at: Place) =>
    (owner === "user" || !isPlainHome(project)) &&
    (hasStore(at.storeDirectory) || filesOf(at).some((file) => existsSync(file.path)));

  /** A store in memory, of which nothing is kept. */
  const openTransient = (at: Place, what: "empty" | "shared"): Promise<Store> => {
    const key = `${at.storeDirectory} (${what})`;
    const opening = stores.get(key) ?? openStoreIn({ directory: at.storeDirectory, isInMemory: true });
    stores.set(key, opening);
    return opening;
  };

  /** What others of the team recorded, where nothing is on this machine yet; no files are created. */
  const findShared = async (at: Place): Promise<Shelf | undefined> => {
    if (at.storeDirectory === ralphHome || (await effectiveSettings())["store.url"] === "") return undefined;
    const store = await withTeam(await openTransient(at, "shared"), at);
    return { ...shelfOf(at, store), isElsewhere: true };
  };

  /** The shelf, if it exists: reading creates no files. */
  const find = async (at: Place): Promise<Shelf | undefined> => {
    if (!exists(at)) return findShared(at);
    const denied = guard.deniedLinksOf(at);
    if (denied.length > 0) {
      guard.tell(denied);
      return undefined;
    }
    const isNew = !hasStore(at.storeDirectory);
    try {
      return await openChecked(at);
    } catch (error) {
      const isReadOnly = isNew && error instanceof RalphError && error.code === "file-unusable";
      if (!isReadOnly) throw error;
      // The notes of a read-only folder can still be read.
      notify({ kind: "index-in-memory", path: at.storeDirectory });
      await openStore(at.storeDirectory, true);
      return open(at);
    }
  };

  const backUp = async (directory: string): Promise<void> => {
    try {
      await (await stores.get(directory))?.backUpIfDue(clock(), { isAwaited });
    } catch (error) {
      notify({ kind: "backup-failed", message: messageOf(error) });
    }
  };

  const closeStores = async (how: "close" | "leave"): Promise<void> => {
    const opened = await Promise.allSettled(stores.values());
    stores.clear();
    for (const store of opened) {
      // A store that failed to open was reported when it was needed.
      if (store.status === "fulfilled") await (teams.get(store.value)?.store ?? store.value)[how]();
    }
    teams.clear();
    for (const team of former.splice(0)) await team.closeShared();
  };

  /** The database may have been removed since the last write. */
  const reclaimWritten = async (): Promise<void> => {
    for (const directory of written) if (stores.has(directory)) await openStore(directory);
  };

  return {
    guard,
    settings,
    effectiveSettings,
    /** Says what of a block of settings was left out, where it would have mattered. */
    tellLeftOut(block: string): void {
      guard.tell(leftOutOf(block));
    },
    /** Throws where what was left out would have been all that matters. */
    async refuseLeftOut(block: string): Promise<void> {
      await effectiveSettings();
      const denied = leftOutOf(block);
      if (denied.length > 0) throw notTrusted(denied);
    },
    place,
    open,
    hasStore,
    settingsFiles,
    storeFolder,
    find: async () => find(await place()),
    /** An empty memory that is not kept, for reading one that does not exist. */
    async openEmpty(): Promise<Shelf> {
      const at = await place();
      return shelfOf(at, await openTransient(at, "empty"));
    },
    /** The owner's shelf and the user's, if they exist. */
    async findAll(): Promise<Shelf[]> {
      const places = [await place(), ...(owner === "user" ? [] : [userPlace(ralphHome)])];
      const found = await Promise.all(places.map(find));
      return found.filter((shelf) => shelf !== undefined);
    },
    /** Stores that were written to are backed up at the end; a long run does so on its way, too. */
    async noteWritten({ place: { storeDirectory } }: Shelf): Promise<void> {
      written.add(storeDirectory);
      writes += 1;
      if (writes % writesPerBackupCheck === 0) await backUp(storeDirectory);
    },
    closeStores,
    async close(): Promise<void> {
      await reclaimWritten();
      for (const directory of written) await backUp(directory);
      await closeStores(end);
    },
  };
}
