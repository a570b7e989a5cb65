import type { RowLoading } from "./dump/row-side.js";
import type { LexicalIndex, SearchKind } from "./lexical-index.js";
import type { SharedStore } from "./postgres/open-postgres-store.js";
import type { SharedRepositories } from "./postgres/postgres-repositories.js";
import type { RecordRepositories, Repositories, Store } from "./store.js";

const recordNames = [
  ...(["tasks", "attempts", "actions", "iterationResults", "reflections", "capacityChanges"] as const),
  ...(["learnings", "stagedLearnings", "links", "credits", "impact"] as const),
  ...(["ledgers", "handoffs", "skillUses", "foreignRecords", "runs"] as const),
] satisfies (keyof RecordRepositories)[];

/** A server that could not be reached is not asked again at once: a command would wait each time. */
const retryAfterMs = 5_000;

export interface TeamStore extends Store {
  /** Ends the connection; what is on this machine stays open. */
  closeShared(): Promise<void>;
}

/**
 * One store with two sides: notes, their index and all vectors on this machine, everything else on a server, which is asked
 * for when it is first needed.
 */
export function teamStore(local: Store, openShared: () => Promise<SharedStore>): TeamStore {
  let opening: Promise<SharedStore> | undefined;
  let failedAt: number | undefined;
  const shared = (): Promise<SharedStore> => {
    const mayRetry = failedAt !== undefined && performance.now() - failedAt >= retryAfterMs;
    if (opening === undefined || mayRetry) {
      failedAt = undefined;
      opening = openShared();
      opening.catch(() => {
        failedAt = performance.now();
      });
    }
    return opening;
  };
  const closeShared = async (): Promise<void> => (await opening?.catch(() => undefined))?.close();
  const store: TeamStore = {
    ...local,
    ...bothSides(local, lazyRecords(shared)),
    withoutWaiting: () =>
      bothSides(
        local.withoutWaiting(),
        lazyRecords(async () => (await shared()).withoutWaiting()),
      ),
    async transaction(work, options = {}) {
      if (options.side === "local")
        return local.transaction((tx) => work(bothSides(tx, lazyRecords(shared))), options);
      const lock = options.holds === "attempt" ? "rows" : "project";
      return (await shared()).transaction((tx) => work(bothSides(local, tx)), { ...options, lock });
    },
    onThisMachine: () => local,
    async describe() {
      const [own, team] = await Promise.all([local.describe(), shared().then((store) => store.describe())]);
      return { ...own, ...team };
    },
    async rowSides() {
      const own = await local.rowSides();
      const { load, loadAtOnce, ...side } = (await shared()).rowSide();
      const index: RowLoading["index"] = (work) => store.transaction(work);
      return [
        {
          ...side,
          load: (work) => load((loading) => work({ ...loading, index })),
          loadAtOnce: (work) =>
            loadAtOnce((loading, tx) =>
              work({ ...loading, index: (indexing) => indexing(bothSides(local, tx)) }),
            ),
        },
        ...own.map((each) => ({
          ...each,
          tables: each.tables.filter((table) => !side.tables.includes(table)),
        })),
      ];
    },
    closeShared,
    async close() {
      await closeShared();
      await local.close();
    },
    async leave() {
      await closeShared();
      await local.leave();
    },
  };
  return store;
}

/** The repositories of the server; each call waits for the connection. */
function lazyRecords(shared: () => Promise<SharedRepositories>): SharedRepositories {
  const records = Object.fromEntries(
    recordNames.map((name) => [name, lazyRepository(async () => (await shared())[name])]),
  ) as unknown as RecordRepositories;
  return {
    ...records,
    lexical: lazyRepository(async () => (await shared()).lexical),
    resetDerived: async () => (await shared()).resetDerived(),
    isDerivedFilled: async () => (await shared()).isDerivedFilled(),
    markDerivedFilled: async () => (await shared()).markDerivedFilled(),
  };
}

/** A repository that is asked for with each call: a server that was away may be back. */
function lazyRepository<Repository extends object>(find: () => Promise<Repository>): Repository {
  return new Proxy({} as Repository, {
    get:
      (_target, name) =>
      async (...args: unknown[]) =>
        ((await find()) as Record<string | symbol, (...values: unknown[]) => unknown>)[name]?.(...args),
  });
}

function bothSides(local: Repositories, shared: SharedRepositories): Repositories {
  const records = Object.fromEntries(
    recordNames.map((name) => [name, shared[name]]),
  ) as unknown as RecordRepositories;
  return {
    ...pickLocal(local),
    ...records,
    lexical: lexicalOfBoth(local.lexical, shared.lexical),
    async resetDerived() {
      await local.resetDerived();
      await shared.resetDerived();
    },
    isDerivedFilled: async () => (await local.isDerivedFilled()) && (await shared.isDerivedFilled()),
    async markDerivedFilled() {
      await local.markDerivedFilled();
      await shared.markDerivedFilled();
    },
  };
}

function pickLocal({
  notes,
  noteFiles,
  addedSections,
  deletedNotes,
  settingsCache,
  vectors,
  outbox,
}: Repositories) {
  return { notes, noteFiles, addedSections, deletedNotes, settingsCache, vectors, outbox };
}

/** Notes are indexed on this machine, everything else where it is kept. */
function lexicalOfBoth(local: LexicalIndex, shared: LexicalIndex): LexicalIndex {
  const of = (kind: SearchKind) => (kind === "note" ? local : shared);
  return {
    put: (document) => of(document.kind).put(document),
    async putAll(documents) {
      for (const index of [local, shared]) {
        const own = documents.filter(({ kind }) => of(kind) === index);
        if (own.length > 0) await index.putAll(own);
      }
    },
    remove: (key) => of(key.kind).remove(key),
    search: (query) => of(query.kind).search(query),
    keepAllowed: (scope, ids) => of(scope.kind).keepAllowed(scope, ids),
    estimateDocuments: (kind) => of(kind).estimateDocuments(kind),
    hasAllowed: (scope) => of(scope.kind).hasAllowed(scope),
    countHolding: (kind, words, limit) => of(kind).countHolding(kind, words, limit),
    estimateHolding: (kind, words, limit) => of(kind).estimateHolding(kind, words, limit),
    async countFrequentWords() {
      await local.countFrequentWords();
      await shared.countFrequentWords();
    },
    readKept: (kind, ids) => of(kind).readKept(kind, ids),
    async verify() {
      await local.verify();
      await shared.verify();
    },
  };
}
