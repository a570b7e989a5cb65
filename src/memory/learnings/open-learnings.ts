import { existsSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings } from "../../config/default-settings.js";
import type { Clock } from "../../domain/clock.js";
import { newLearningId } from "../../domain/knowledge/learning-id.js";
import { type RandomHex, randomHex } from "../../domain/knowledge/note-id.js";
import { RalphError } from "../../domain/ralph-error.js";
import { ignoreInGit } from "../../files/private-directory.js";
import { hasStore, openStore } from "../../store/open-store.js";
import type { Store } from "../../store/store.js";
import { fillIndex } from "../derived/fill-index.js";
import { openFilledStore } from "../places/open-filled-store.js";
import { windowOptions } from "../tasks/episodic-options.js";
import { hasPublishedFiles, importPublishedFiles } from "./import-published-files.js";
import type { LearningContext } from "./learn-from-tasks.js";
import type { LearningVerbs } from "./learning-verbs.js";
import { makeLearningVerbs } from "./make-learning-verbs.js";

export interface OpenLearningsOptions {
  clock?: Clock;
  random?: RandomHex;
  /** How long to go on trying while other processes write. */
  patienceMs?: number;
}

/** Learnings that can be closed. */
export interface OpenLearnings extends LearningVerbs {
  close(): Promise<void>;
}

/**
 * Opens the learnings that a folder holds by itself, without a project around it. Nothing is created until something is
 * written, unless the folder holds learnings in the files of other tools: those are taken over first.
 */
export function openLearnings(directory: string, options: OpenLearningsOptions = {}): OpenLearnings {
  const { clock = () => new Date(), random = randomHex, patienceMs } = options;
  let opening: Promise<Store> | undefined;
  let isWritten = false;
  let isClosed = false;

  const open = async (): Promise<Store> => {
    if (isClosed) throw new Error("This memory has been closed");
    opening ??= openIn(directory, patienceMs);
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };

  type Work<Result> = (context: LearningContext, backups: string) => Promise<Result>;

  const within = <Result>(store: Store, work: Work<Result>): Promise<Result> => {
    const context: LearningContext = {
      store,
      clock,
      newUuid: () => crypto.randomUUID(),
      newLearningId: () => newLearningId(random),
      root: directory,
      window: windowOptions(defaultSettings),
    };
    return rebuilding(store, () => work(context, join(directory, "backups")));
  };

  const recording = async <Result>(work: Work<Result>): Promise<Result> => {
    const result = await within(await open(), work);
    isWritten = true;
    return result;
  };

  const isThere = () => opening !== undefined || hasStore(directory) || hasPublishedFiles(directory);

  const changing = async <Result>(work: Work<Result>): Promise<Result> =>
    isThere() ? recording(work) : inNothing(directory, (store) => within(store, work));

  const reading = async <Result>(work: Work<Result>): Promise<Result> =>
    isThere() ? within(await open(), work) : inNothing(directory, (store) => within(store, work));

  return {
    ...makeLearningVerbs({ root: directory, recording, changing, reading }),
    async close() {
      const store = isClosed ? undefined : await opening?.catch(() => undefined);
      isClosed = true;
      if (isWritten) await store?.backUpIfDue(clock());
      await store?.close();
    },
  };
}

async function openIn(directory: string, patienceMs: number | undefined): Promise<Store> {
  // A folder of the user's is not hidden from git as a whole, as one that is made here is.
  if (existsSync(directory)) ignoreInGit(directory, ["/memory.db*", "/backups/", "/.gitignore"]);
  const fillNew = (tx: Parameters<typeof importPublishedFiles>[0]) => importPublishedFiles(tx, directory);
  return openFilledStore(
    { directory, fillNew, ...(patienceMs !== undefined && { patienceMs }) },
    () => undefined,
  );
}

/** For looking into a folder that holds no memory: nothing is in it, and nothing of it stays. */
async function inNothing<Result>(
  directory: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({ directory, isInMemory: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A damaged index is rebuilt in place, and the work done again. */
async function rebuilding<Result>(store: Store, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "index-damaged") throw error;
    await store.transaction(async (tx) => {
      await tx.resetDerived();
      await fillIndex(tx, () => undefined);
    });
    return work();
  }
}
