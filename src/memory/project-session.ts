import type { Settings } from "../config/default-settings.js";
import { userHome } from "../config/paths.js";
import type { Clock } from "../domain/clock.js";
import type { Environment } from "../domain/environment.js";
import { type RandomHex, randomHex } from "../domain/knowledge/record-ids.js";
import { RalphError } from "../domain/ralph-error.js";
import { findProject, type Project } from "../files/find-project.js";
import { isFolder } from "../files/find-stats.js";
import type { ConfiguredVectorSearch, VectorSearch } from "./derived/vectors/vector-search.js";
import type { Notice } from "./notice.js";
import { makeShelves, type Shelves } from "./places/shelves.js";
import { makeSession, type Session } from "./session.js";

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

/** The session of a project's or a user's memory. */
export interface ProjectSession extends Session {
  readonly project: Project;
  readonly owner: "project" | "user";
  readonly ralphHome: string;
  readonly shelves: Shelves;
  /** Whether its records stay on this machine until they are delivered to the team's server. */
  readonly isAway: boolean;
  /** Loaded on first use; keeps its model and vectors. */
  vectorSearch(): Promise<VectorSearch>;
  /** With the embedder that is set; undefined without one. */
  configuredVectorSearch(): Promise<ConfiguredVectorSearch | undefined>;
}

export function openProjectSession(options: OpenMemoryOptions): ProjectSession {
  const { environment = process.env, clock = () => new Date(), random = randomHex } = options;
  const {
    owner = "project",
    onNotice: notify = () => undefined,
    busyTimeoutMs,
    patienceMs,
    overrides,
    isTrusted,
    isForgiving,
  } = options;
  const ralphHome = userHome(environment);
  const project = findProject(existingFolder(options.root ?? (environment.RALPH_ROOT || currentFolder())), {
    userHome: ralphHome,
  });
  const { root } = project;
  const shelves = makeShelves({
    ...{
      project,
      ralphHome,
      owner,
      environment,
      clock,
      random,
      busyTimeoutMs,
      patienceMs,
      notify,
      overrides,
      isTrusted,
      isForgiving,
    },
    onReached: async (shelf) => (await import("./outbox/deliver-waiting.js")).deliverWaiting(session, shelf),
    end: options.isShortLived ? "leave" : "close",
    isAwaited: options.isAwaited ?? false,
    indexUntilMs: options.indexUntilMs,
  });

  let loading: Promise<VectorSearch> | undefined;
  const load = async (): Promise<VectorSearch> => {
    const { makeVectorSearch } = await import("./derived/vectors/vector-search.js");
    const { openAllowed, tell } = shelves.guard;
    return makeVectorSearch({
      project,
      ralphHome,
      environment,
      notify,
      tell,
      isAllowed: await openAllowed(),
    });
  };
  const vectorSearch = (): Promise<VectorSearch> => {
    loading ??= load();
    return loading;
  };
  const configuredVectorSearch = async (): Promise<ConfiguredVectorSearch | undefined> => {
    const settings = await shelves.effectiveSettings();
    shelves.tellLeftOut("embedder");
    return settings["embedder.use"] === "none" ? undefined : (await vectorSearch()).withSettings(settings);
  };

  let naming: Promise<string | undefined> | undefined;
  const findActor = async () =>
    (await import("./people/acting-name.js")).actingName({ as: options.as, root, environment });
  const actor = (): Promise<string | undefined> => {
    naming ??= findActor();
    return naming;
  };

  const session: Session = makeSession({
    ...{ shelves, root, clock, random, environment, notify, actor },
    recordFinder: async (store) => (await configuredVectorSearch())?.recordFinder(store),
  });
  return {
    ...session,
    ...{ project, owner, ralphHome, shelves, vectorSearch, configuredVectorSearch },
    isAway: false,
    async close() {
      await (await loading)?.close();
      await session.close();
    },
  };
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
