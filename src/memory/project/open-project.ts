import type { Settings } from "../../config/default-settings.js";
import { userHome } from "../../config/paths.js";
import type { Clock } from "../../domain/clock.js";
import type { Environment } from "../../domain/environment.js";
import { type RandomHex, randomHex } from "../../domain/knowledge/record-ids.js";
import { RalphError } from "../../domain/ralph-error.js";
import { findProject, type Project } from "../../files/find-project.js";
import { isFolder } from "../../files/find-stats.js";
import type { ConfiguredVectorSearch, VectorSearch } from "../derived/vectors/vector-search.js";
import type { Notice } from "../notice.js";
import { actingName } from "../people/acting-name.js";
import { type MemoryAccess, type MemorySource, memoryAccess } from "./memory-access.js";
import type { StoreContext } from "./place.js";
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
      const { deliverWaiting } = await import("../outbox/deliver-waiting.js");
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
