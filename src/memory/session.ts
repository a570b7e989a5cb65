import type { Settings } from "../config/default-settings.js";
import type { Clock } from "../domain/clock.js";
import type { Environment } from "../domain/environment.js";
import type { RandomHex } from "../domain/knowledge/record-ids.js";
import { lazyModule } from "../domain/lazy-module.js";
import { RalphError } from "../domain/ralph-error.js";
import type { FindRecords } from "../search/search-records.js";
import type { Store } from "../store/store.js";
import type { OwnRules } from "../text/secrets/own-rules.js";
import type { Notice } from "./notice.js";
import type { Place } from "./places/place.js";
import type { Shelf } from "./places/shelf.js";

type Work<Result> = (shelf: Shelf) => Promise<Result>;

/** An open memory: its store, settings and environment, which every verb works with. */
export interface Session {
  /** Paths are relative to this folder, and programs run in it. */
  readonly root: string;
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly environment: Environment;
  notify(notice: Notice): void;
  /** Who does what is recorded: a person's or an agent's name; undefined if nobody is known. */
  actor(): Promise<string | undefined>;
  settings(): Promise<Settings>;
  place(): Promise<Place>;
  /** Whether there is a memory to read or change. */
  exists(): Promise<boolean>;
  /** Returns `otherwise()` if there is no memory. Creates nothing. */
  read<Result>(work: Work<Result>, otherwise: () => Result): Promise<Result>;
  /** Reads an empty memory if there is none. Creates nothing. */
  readOrEmpty<Result>(work: Work<Result>): Promise<Result>;
  /** Creates the memory if there is none. */
  write<Result>(work: Work<Result>): Promise<Result>;
  /** If there is no memory, changes an empty one that is not kept. */
  change<Result>(work: Work<Result>): Promise<Result>;
  /** Search by words and vectors; undefined without an embedder. */
  recordFinder(store: Store): Promise<FindRecords | undefined>;
  /** Redacts with the user's own patterns and exceptions in what `work` does. */
  redacting<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Rebuilds a damaged index in place, then runs `work` again. */
  repairing<Result>(shelf: Shelf, work: Work<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** What a session needs to open its store; `Shelves` implements it for a project or a user. */
export interface SessionShelves {
  effectiveSettings(): Promise<Settings>;
  tellLeftOut(block: string): void;
  place(): Promise<Place>;
  find(): Promise<Shelf | undefined>;
  open(place: Place): Promise<Shelf>;
  openEmpty(): Promise<Shelf>;
  noteWritten(shelf: Shelf): Promise<void> | void;
  close(): Promise<void>;
}

export interface SessionOptions
  extends Pick<Session, "root" | "clock" | "random" | "environment" | "notify" | "actor" | "recordFinder"> {
  shelves: SessionShelves;
}

const index = lazyModule(() => import("./derived/rebuild-index.js"));

export function makeSession({ shelves, ...surroundings }: SessionOptions): Session {
  let isClosed = false;

  const findShelf = async (): Promise<Shelf | undefined> => {
    if (isClosed) throw new Error("This memory has been closed");
    return shelves.find();
  };

  const repairing = async <Result>(shelf: Shelf, work: Work<Result>): Promise<Result> => {
    try {
      return await work(shelf);
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== "index-damaged") throw error;
      await index.rebuildIndex(shelf);
      surroundings.notify({ kind: "index-rebuilt", path: shelf.place.storeDirectory });
      return work(shelf);
    }
  };

  let ownRules: Promise<OwnRules | undefined> | undefined;

  const redacting = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    ownRules ??= findOwnRules(shelves);
    const rules = await ownRules;
    if (rules === undefined) return work();
    const { withOwnRules } = await import("../text/secrets/own-rules.js");
    return withOwnRules(rules, work);
  };

  const write = async <Result>(work: Work<Result>): Promise<Result> => {
    if (isClosed) throw new Error("This memory has been closed");
    const shelf = await shelves.open(await shelves.place());
    // What they would have redacted is stored.
    shelves.tellLeftOut("secrets");
    const result = await repairing(shelf, work);
    await shelves.noteWritten(shelf);
    return result;
  };

  return {
    ...surroundings,
    settings: () => shelves.effectiveSettings(),
    place: () => shelves.place(),
    exists: async () => (await findShelf()) !== undefined,
    async read(work, otherwise) {
      const shelf = await findShelf();
      return shelf === undefined ? otherwise() : repairing(shelf, work);
    },
    readOrEmpty: async (work) => repairing((await findShelf()) ?? (await shelves.openEmpty()), work),
    write,
    async change(work) {
      const shelf = await findShelf();
      if (shelf === undefined) return work(await shelves.openEmpty());
      return shelf.isElsewhere ? repairing(shelf, work) : write(work);
    },
    redacting,
    repairing,
    async close() {
      isClosed = true;
      await shelves.close();
    },
  };
}

/** Undefined without any, as in most projects: then nothing is loaded. */
async function findOwnRules(shelves: SessionShelves): Promise<OwnRules | undefined> {
  const { "secrets.patterns": patterns, "secrets.exceptions": exceptions } =
    await shelves.effectiveSettings();
  if (patterns.length === 0 && exceptions.length === 0) return undefined;
  const { compileOwnRules } = await import("../text/secrets/own-rules.js");
  return compileOwnRules(patterns, exceptions);
}
