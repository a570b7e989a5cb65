import { existsSync } from "node:fs";
import type { Clock } from "../../domain/clock.js";
import type { Environment } from "../../domain/environment.js";
import type { RandomHex } from "../../domain/knowledge/record-ids.js";
import { messageOf, RalphError } from "../../domain/ralph-error.js";
import type { Project } from "../../files/find-project.js";
import { hasStore, type OpenStoreOptions, openStore, storeFile } from "../../store/open-store.js";
import type { Store } from "../../store/store.js";
import type { TeamStore } from "../../store/team-store.js";
import type { TrustRequest } from "../../trust/request.js";
import { fillIndex } from "../derived/fill-index.js";
import type { Notice } from "../notice.js";
import {
  filesOf,
  homeIsNoProject,
  isPlainHome,
  type Place,
  projectPlace,
  type StoreContext,
  userPlace,
} from "./place.js";
import type { ProjectSettings } from "./project-settings.js";
import { notTrusted, type ProjectTrust } from "./project-trust.js";

export interface ProjectStoresOptions {
  folders: Project;
  /** The user's own folder. */
  ralphHome: string;
  owner: "project" | "user";
  environment: Environment;
  clock: Clock;
  random: RandomHex;
  busyTimeoutMs: number | undefined;
  patienceMs: number | undefined;
  /** The process exits right after `closeAll`: databases are left open. */
  isShortLived: boolean;
  /** Somebody waits for the end of this process. */
  isAwaited: boolean;
  indexUntilMs: number | undefined;
  settings: ProjectSettings["settings"];
  trust: ProjectTrust;
  notify(notice: Notice): void;
  /** Called once a team's server was reached, before anything else is asked of it. */
  onReached(context: StoreContext): Promise<void>;
}

const writesPerBackupCheck = 32;

/** The stores of a project and of its user, each opened when it is first needed. */
export function projectStores(options: ProjectStoresOptions) {
  const { folders, ralphHome, owner, clock, random, busyTimeoutMs, notify, trust, indexUntilMs } = options;
  const stores = new Map<string, Promise<Store>>();
  const written = new Set<string>();
  let writes = 0;

  const openLocal = (directory: string, isInMemory = false): Promise<Store> => {
    const known = isInMemory ? undefined : stores.get(directory);
    const open = async () => {
      if (!isInMemory) trust.makeStoreFolder(directory);
      return openFilledStore(
        { directory, isInMemory, ...(busyTimeoutMs !== undefined && { busyTimeoutMs }) },
        notify,
      );
    };
    const opening = known === undefined ? open() : known.then((store) => inPlace(store, directory, open));
    stores.set(directory, opening);
    // The next call tries again: it may be repaired by then.
    opening.catch(() => {
      if (stores.get(directory) === opening) stores.delete(directory);
    });
    return opening;
  };

  /** An agent may delete or replace the database in the middle of a run. */
  const inPlace = async (store: Store, directory: string, open: () => Promise<Store>): Promise<Store> => {
    if (store.isInPlace()) return store;
    const done = await store.reclaim();
    if (done !== "replaced") notify({ kind: `database-${done}`, path: storeFile(directory) });
    return open();
  };

  const isStoreIn = (directory: string) => stores.has(directory) || hasStore(directory);

  /** What somebody else's folder of records asks for, and the user has not allowed. */
  const deniedOf = (foreign: string): TrustRequest[] => {
    const links = trust.deniedLinks([foreign]);
    const records = links.length > 0 ? undefined : trust.recordsRequest(foreign);
    return records === undefined || trust.openAllowed()(records) ? links : [records];
  };

  let knownFolder: string | undefined;

  /** The folder of the project's records; a running server looks each time, because somebody may replace it. */
  const storeFolder = (): string => {
    if (options.isShortLived && knownFolder !== undefined) return knownFolder;
    const { path, foreign } = trust.findStoreFolder();
    if (foreign !== undefined) trust.report(deniedOf(foreign));
    knownFolder = path;
    return path;
  };

  const place = async (): Promise<Place> => {
    if (owner === "user") return userPlace(ralphHome);
    const { "memories.scope": scope } = await options.settings();
    return projectPlace(folders, scope, storeFolder());
  };

  const contextOf = (at: Place, store: Store): StoreContext => ({
    ...{ place: at, store, clock, random, notify, indexUntilMs },
  });

  const teams = new Map<Store, { store: TeamStore; asSet: string }>();
  /** Servers that the settings no longer name; calls on them may still be running. */
  const former: TeamStore[] = [];

  /** With the records that a team shares on a server, if the settings name one; the user's own notes are only here. */
  const withTeam = async (local: Store, at: Place): Promise<Store> => {
    if (at.storeDirectory === ralphHome) return local;
    const settings = await options.settings();
    const asSet = JSON.stringify([settings["store.url"], settings["project.key"]]);
    const known = teams.get(local);
    if (known?.asSet === asSet) return known.store;
    if (known !== undefined) former.push(known.store);
    teams.delete(local);
    if (settings["store.url"] === "") return local;
    const { openTeamSide } = await import("../team/open-team-side.js");
    const { environment, patienceMs } = options;
    const store = openTeamSide(local, {
      ...{ settings, project: folders, environment, busyTimeoutMs, patienceMs, notify },
      onReached: (reached) => options.onReached(contextOf(at, reached)),
    });
    teams.set(local, { store, asSet });
    return store;
  };

  const open = async (at: Place): Promise<StoreContext> =>
    contextOf(at, await withTeam(await openLocal(at.storeDirectory), at));

  const openAllowed = async (at: Place): Promise<StoreContext> => {
    if (owner === "project" && isPlainHome(folders)) throw homeIsNoProject(folders);
    const denied = trust.deniedLinksOf(at);
    if (denied.length > 0) throw notTrusted(denied);
    return open(at);
  };

  const exists = (at: Place) =>
    (owner === "user" || !isPlainHome(folders)) &&
    (isStoreIn(at.storeDirectory) || filesOf(at).some((file) => existsSync(file.path)));

  const openTransient = (at: Place, what: "empty" | "shared"): Promise<Store> => {
    const key = `${at.storeDirectory} (${what})`;
    const opening = stores.get(key) ?? openStore({ directory: at.storeDirectory, isInMemory: true });
    stores.set(key, opening);
    return opening;
  };

  /** What others of the team recorded, where nothing is on this machine yet; no files are created. */
  const findShared = async (at: Place): Promise<StoreContext | undefined> => {
    if (at.storeDirectory === ralphHome || (await options.settings())["store.url"] === "") return undefined;
    const store = await withTeam(await openTransient(at, "shared"), at);
    return { ...contextOf(at, store), isElsewhere: true };
  };

  /** Reading creates no files. */
  const find = async (at: Place): Promise<StoreContext | undefined> => {
    if (!exists(at)) return findShared(at);
    const denied = trust.deniedLinksOf(at);
    if (denied.length > 0) {
      trust.report(denied);
      return undefined;
    }
    const isNew = !isStoreIn(at.storeDirectory);
    try {
      return await open(at);
    } catch (error) {
      const isReadOnly = isNew && error instanceof RalphError && error.code === "file-unusable";
      if (!isReadOnly) throw error;
      // The notes of a read-only folder can still be read.
      notify({ kind: "index-in-memory", path: at.storeDirectory });
      await openLocal(at.storeDirectory, true);
      return openAllowed(at);
    }
  };

  const backUp = async (directory: string): Promise<void> => {
    try {
      await (await stores.get(directory))?.backUpIfDue(clock(), { isAwaited: options.isAwaited });
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

  return {
    place,
    storeFolder,
    hasStore: async () => isStoreIn((await place()).storeDirectory),
    openStore: async (at?: Place) => openAllowed(at ?? (await place())),
    findStore: async () => find(await place()),
    /** The owner's store and the user's, if they exist. */
    async findStores(): Promise<StoreContext[]> {
      const places = [await place(), ...(owner === "user" ? [] : [userPlace(ralphHome)])];
      const found = await Promise.all(places.map(find));
      return found.filter((context) => context !== undefined);
    },
    async openEmptyStore(): Promise<StoreContext> {
      const at = await place();
      return contextOf(at, await openTransient(at, "empty"));
    },
    /** Stores that were written to are backed up at the end; a long run does so on its way, too. */
    async noteWritten({ place: { storeDirectory } }: StoreContext): Promise<void> {
      written.add(storeDirectory);
      writes += 1;
      if (writes % writesPerBackupCheck === 0) await backUp(storeDirectory);
    },
    closeStores: () => closeStores("close"),
    async closeAll(): Promise<void> {
      // The database may have been removed since the last write.
      for (const directory of written) if (stores.has(directory)) await openLocal(directory);
      for (const directory of written) await backUp(directory);
      await closeStores(options.isShortLived ? "leave" : "close");
    },
  };
}

/** Opens a store; rebuilds its derived data once after an update of Ralph. */
export async function openFilledStore(
  options: OpenStoreOptions,
  notify: (notice: Notice) => void,
): Promise<Store> {
  const store = await openStore(options);
  if (!(await store.isDerivedFilled())) await store.transaction((tx) => fillIndex(tx, notify));
  return store;
}
