import { statSync } from "node:fs";
import type { Settings } from "../../config/default-settings.js";
import { userHome } from "../../config/paths.js";
import type { Clock } from "../../domain/clock.js";
import type { Environment } from "../../domain/environment.js";
import { type RandomHex, randomHex } from "../../domain/knowledge/record-ids.js";
import { RalphError } from "../../domain/ralph-error.js";
import { findProject, type Project } from "../../files/find-project.js";
import { isFolder } from "../../files/find-stats.js";
import { storeFile } from "../../store/open-store.js";
import type { ConfiguredVectorSearch, VectorSearch } from "../derived/vectors/vector-search.js";
import type { Notice } from "../notice.js";
import { actingName } from "./acting-name.js";
import { type MemoryAccess, type MemorySource, memoryAccess } from "./memory-access.js";
import { filesOf, isPlainHome, type StoreContext, userPlace } from "./place.js";
import { type ProjectSettings, projectSettings } from "./project-settings.js";
import { projectStores } from "./project-stores.js";
import { type ProjectTrust, projectTrust } from "./project-trust.js";

export interface OpenMemoryOptions {
  /** A folder inside the project; the current one by default. */
  root?: string | undefined;
  /** Whose memory: the project's by default. */
  owner?: "project" | "user";
  /** For settings, keys and child processes; `process.env` by default. */
  environment?: Environment;
  clock?: Clock;
  random?: RandomHex;
  /** Who does what is recorded; by default what `RALPH_AS` says, else the user of Git. */
  as?: string | undefined;
  /** How long to retry while other processes write. */
  busyTimeoutMs?: number;
  /** How long to wait for a team's server that goes away in the middle of the work. */
  patienceMs?: number;
  onNotice?: (notice: Notice) => void;
  /** The process exits right after `close`: databases are left open, which saves time. */
  isShortLived?: boolean;
  /** An agent waits for this process, and may end it: what takes long is left to another one. */
  isAwaited?: boolean;
  /** When, by the clock of this process, changed notes are indexed no further; the next command goes on. */
  indexUntilMs?: number;
  /** Settings that override all files and variables. */
  overrides?: Partial<Settings>;
  /** Obeys what the project's files ask for without the user's consent, as `RALPH_TRUST=1` does. */
  isTrusted?: boolean;
  /** Goes on without a project's settings file that is not valid, as commands do that only end something. */
  isForgiving?: boolean;
}

type StoresOfProject = Pick<
  ReturnType<typeof projectStores>,
  "storeFolder" | "hasStore" | "findStores" | "closeStores"
>;

/** The memory of a project or of the user: its folders, settings, trust and stores. Every function on memory takes one. */
export interface OpenProject extends Readonly<Project>, MemoryAccess, ProjectSettings, StoresOfProject {
  readonly folders: Project;
  readonly owner: "project" | "user";
  readonly ralphHome: string;
  readonly trust: ProjectTrust;
  /** Whether its records stay on this machine until they are delivered to the team's server. */
  readonly isAway: boolean;
  /** Loaded on first use; keeps its model and vectors. */
  vectorSearch(): Promise<VectorSearch>;
  /** With the embedder that is set; undefined without one. */
  configuredVectorSearch(): Promise<ConfiguredVectorSearch | undefined>;
}

/** Opens a memory. Nothing is created until the first write. */
export function openProject(options: OpenMemoryOptions): OpenProject {
  const { environment = process.env, clock = () => new Date(), random = randomHex } = options;
  const { owner = "project", onNotice: notify = () => undefined } = options;
  const ralphHome = userHome(environment);
  const start = existingFolder(options.root ?? (environment.RALPH_ROOT || currentFolder()));
  const folders = findProject(start, { userHome: ralphHome });
  const surroundings = { folders, ralphHome, owner, environment, clock, random, notify };
  const trust = projectTrust({ ...surroundings, isTrusted: options.isTrusted ?? false });
  const settings = projectSettings({
    ...{ ...surroundings, trust, overrides: options.overrides },
    isForgiving: options.isForgiving ?? false,
  });
  const stores = projectStores({
    ...{ ...surroundings, trust, settings: settings.settings },
    busyTimeoutMs: options.busyTimeoutMs,
    patienceMs: options.patienceMs,
    isShortLived: options.isShortLived ?? false,
    isAwaited: options.isAwaited ?? false,
    indexUntilMs: options.indexUntilMs,
    onReached: async (context: StoreContext) => {
      const { deliverWaiting } = await import("../team/deliver.js");
      await deliverWaiting(project, context);
    },
  });

  let searching: Promise<VectorSearch> | undefined;
  const loadVectorSearch = async (): Promise<VectorSearch> => {
    const { makeVectorSearch } = await import("../derived/vectors/vector-search.js");
    return makeVectorSearch({
      ...{ project: folders, ralphHome, environment, notify },
      tell: trust.report,
      isAllowed: trust.openAllowed(),
    });
  };
  const vectorSearch = (): Promise<VectorSearch> => {
    searching ??= loadVectorSearch();
    return searching;
  };
  const configuredVectorSearch = async (): Promise<ConfiguredVectorSearch | undefined> => {
    const current = await settings.settings();
    settings.reportLeftOut("embedder");
    return current["embedder.use"] === "none" ? undefined : (await vectorSearch()).withSettings(current);
  };

  const source = {
    ...folders,
    ...{ ...surroundings, trust, isAway: false },
    ...settings,
    ...stores,
    ...{ vectorSearch, configuredVectorSearch },
    actor: async () => actingName({ as: options.as, root: folders.root, environment }),
    recordFinder: async (store) => (await configuredVectorSearch())?.recordFinder(store),
    async closeAll() {
      await (await searching)?.close();
      await stores.closeAll();
    },
  } satisfies MemorySource;
  const project: OpenProject = memoryAccess(source);
  return project;
}

/** Whether a memory belongs here without being asked for: in a repository of git, or where `ralph init` has made one. */
export async function isProject(project: OpenProject): Promise<boolean> {
  return project.kind !== "folder" || ((await project.hasStore()) && !isPlainHome(project));
}

/** Notes or records of this size take a second to read and index. */
const manyNotesBytes = 4 * 1024 * 1024;
const largeStoreBytes = 1024 * 1024 * 1024;

/** Whether reading a memory may take long in one go. */
export async function mayTakeLong({ ralphHome, place }: OpenProject): Promise<boolean> {
  const own = await place();
  const notes = [...filesOf(own), ...filesOf(userPlace(ralphHome))];
  return (
    notes.some(({ path }) => sizeOf(path) > manyNotesBytes) ||
    sizeOf(storeFile(own.storeDirectory)) > largeStoreBytes
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function existingFolder(path: string): string {
  if (isFolder(path)) return path;
  throw new RalphError("wrong-use", `Not a folder: ${path}`, { hint: "give an existing folder with --root" });
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new RalphError("wrong-use", "The current folder no longer exists", {
      hint: "change to an existing folder, or use --root",
      cause: error,
    });
  }
}
