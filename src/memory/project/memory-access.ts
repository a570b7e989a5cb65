import type { Settings } from "../../config/default-settings.js";
import type { Clock } from "../../domain/clock.js";
import type { Environment } from "../../domain/environment.js";
import type { RandomHex } from "../../domain/knowledge/record-ids.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { FindRecords } from "../../search/search-records.js";
import type { Store } from "../../store/store.js";
import { compileOwnRules, type OwnRules, withOwnRules } from "../../text/secrets/own-rules.js";
import { rebuildIndex } from "../derived/rebuild-index.js";
import type { Notice } from "../notice.js";
import type { Place, StoreContext } from "./place.js";

type Work<Result> = (context: StoreContext) => Promise<Result>;

/** Where a memory is, and how it is opened: of a project, of the user, or of a folder of learnings. */
export interface MemorySource {
  /** Paths are relative to this folder, and programs run in it. */
  readonly root: string;
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly environment: Environment;
  notify(notice: Notice): void;
  /** The person or agent at work, for the record; undefined if unknown. */
  actor(): Promise<string | undefined>;
  /** The effective settings. */
  settings(): Promise<Settings>;
  /** Reports which settings of a block were left out because the user has not allowed them. */
  reportLeftOut(block: string): void;
  place(): Promise<Place>;
  /** Undefined if there is no memory. Creates nothing. */
  findStore(): Promise<StoreContext | undefined>;
  /** Creates the store if there is none. */
  openStore(place?: Place): Promise<StoreContext>;
  /** An empty store in memory that is thrown away. */
  openEmptyStore(): Promise<StoreContext>;
  /** Search by words and vectors; undefined without an embedder. */
  recordFinder(store: Store): Promise<FindRecords | undefined>;
  noteWritten(context: StoreContext): Promise<void> | void;
  closeAll(): Promise<void>;
}

/** A memory that can be read and written. */
export interface MemoryAccess extends MemorySource {
  /** Whether there is a memory to read or change. */
  exists(): Promise<boolean>;
  /** Returns `otherwise()` if there is no memory. Creates nothing. */
  read<Result>(work: Work<Result>, otherwise: () => Result): Promise<Result>;
  /** Reads an empty memory if there is none. Creates nothing. */
  readOrEmpty<Result>(work: Work<Result>): Promise<Result>;
  /** Creates the memory if there is none. */
  write<Result>(work: Work<Result>): Promise<Result>;
  /** If there is no memory, changes an empty one that is thrown away. */
  change<Result>(work: Work<Result>): Promise<Result>;
  /** Redacts with the user's own patterns and exceptions in what `work` does. */
  redacting<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs `work`; if the index is damaged, rebuilds it and runs `work` again. */
  repairing<Result>(context: StoreContext, work: Work<Result>): Promise<Result>;
  close(): Promise<void>;
}

export function memoryAccess<Source extends MemorySource>(source: Source): Source & MemoryAccess {
  let isClosed = false;
  const refuseClosed = (): void => {
    if (isClosed) throw new Error("This memory has been closed");
  };

  const find = async (): Promise<StoreContext | undefined> => {
    refuseClosed();
    return source.findStore();
  };

  const repairing = async <Result>(context: StoreContext, work: Work<Result>): Promise<Result> => {
    try {
      return await work(context);
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== "index-damaged") throw error;
      await rebuildIndex(context);
      source.notify({ kind: "index-rebuilt", path: context.place.storeDirectory });
      return work(context);
    }
  };

  const write = async <Result>(work: Work<Result>): Promise<Result> => {
    refuseClosed();
    const context = await source.openStore();
    // What patterns that were left out would have redacted is stored.
    source.reportLeftOut("secrets");
    const result = await repairing(context, work);
    await source.noteWritten(context);
    return result;
  };

  let ownRules: Promise<OwnRules | undefined> | undefined;

  return {
    ...source,
    exists: async () => (await find()) !== undefined,
    async read(work, otherwise) {
      const context = await find();
      return context === undefined ? otherwise() : repairing(context, work);
    },
    readOrEmpty: async (work) => repairing((await find()) ?? (await source.openEmptyStore()), work),
    write,
    async change(work) {
      const context = await find();
      if (context === undefined) return work(await source.openEmptyStore());
      return context.isElsewhere ? repairing(context, work) : write(work);
    },
    async redacting(work) {
      ownRules ??= findOwnRules(source);
      const rules = await ownRules;
      return rules === undefined ? work() : withOwnRules(rules, work);
    },
    repairing,
    async close() {
      isClosed = true;
      await source.closeAll();
    },
  };
}

async function findOwnRules(source: MemorySource): Promise<OwnRules | undefined> {
  const { "secrets.patterns": patterns, "secrets.exceptions": exceptions } = await source.settings();
  if (patterns.length === 0 && exceptions.length === 0) return undefined;
  return compileOwnRules(patterns, exceptions);
}
