import { lazyModule } from "../../domain/lazy-module.js";
import type { RowLoading } from "../dump/row-side.js";
import type { LexicalIndex, SearchKind } from "../lexical-index.js";
import type { SharedStore } from "../postgres/open-postgres-store.js";
import type { SharedRepositories } from "../postgres/postgres-repositories.js";
import type { RecordRepositories, Repositories, Store } from "../store.js";

const recordNames = [
  ...(["tasks", "attempts", "actions", "iterationResults", "reflections", "capacityChanges"] as const),
  ...(["learnings", "stagedLearnings", "links", "credits", "impact"] as const),
  ...(["ledgers", "handoffs", "skillUses", "runs"] as const),
] satisfies (keyof RecordRepositories)[];

/**
 * One store with two sides: notes, their index and all vectors on this machine, everything else on a server, which is asked
 * for when it is first needed.
 */
export function teamStore(local: Store, openShared: () => Promise<SharedStore>): Store {
  let opening: Promise<SharedStore> | undefined;
  const shared = (): Promise<SharedStore> => {
    opening ??= openShared().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const store: Store = {
    ...local,
    ...bothSides(local, lazyRecords(shared)),
    withoutWaiting: () =>
      bothSides(
        local.withoutWaiting(),
        lazyRecords(async () => (await shared()).withoutWaiting()),
      ),
    async transaction(work, side = "shared") {
      if (side === "local")
        return local.transaction((tx) => work(bothSides(tx, lazyRecords(shared))), "local");
      return (await shared()).transaction((tx) => work(bothSides(local, tx)));
    },
    async describe() {
      const [own, team] = await Promise.all([local.describe(), shared().then((store) => store.describe())]);
      return { ...own, ...team };
    },
    async rowSides() {
      const own = await local.rowSides();
      const { load, ...side } = await (await shared()).rowSide();
      const index: RowLoading["index"] = (work) => store.transaction(work);
      return [
        { ...side, load: (work) => load((loading) => work({ ...loading, index })) },
        ...own.map((each) => ({
          ...each,
          tables: each.tables.filter((table) => !side.tables.includes(table)),
        })),
      ];
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close();
      await local.close();
    },
    async leave() {
      await (await opening?.catch(() => undefined))?.close();
      await local.leave();
    },
  };
  return store;
}

/** The repositories of the server; each call waits for the connection. */
function lazyRecords(shared: () => Promise<SharedRepositories>): SharedRepositories {
  const records = Object.fromEntries(
    recordNames.map((name) => [name, lazyModule(async () => (await shared())[name])]),
  ) as unknown as RecordRepositories;
  return {
    ...records,
    lexical: lazyModule(async () => (await shared()).lexical),
    resetDerived: async () => (await shared()).resetDerived(),
    isDerivedFilled: async () => (await shared()).isDerivedFilled(),
    markDerivedFilled: async () => (await shared()).markDerivedFilled(),
  };
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

function pickLocal({ notes, noteFiles, addedSections, deletedNotes, settingsCache, vectors }: Repositories) {
  return { notes, noteFiles, addedSections, deletedNotes, settingsCache, vectors };
}

/** Notes are indexed on this machine, everything else where it is kept. */
function lexicalOfBoth(local: LexicalIndex, shared: LexicalIndex): LexicalIndex {
  const of = (kind: SearchKind) => (kind === "note" ? local : shared);
  return {
    put: (document) => of(document.kind).put(document),
    remove: (key) => of(key.kind).remove(key),
    search: (query) => of(query.kind).search(query),
    keepAllowed: (scope, ids) => of(scope.kind).keepAllowed(scope, ids),
    estimateDocuments: (kind) => of(kind).estimateDocuments(kind),
    hasAllowed: (scope) => of(scope.kind).hasAllowed(scope),
    countHolding: (kind, words, limit) => of(kind).countHolding(kind, words, limit),
    readKept: (kind, ids) => of(kind).readKept(kind, ids),
    async verify() {
      await local.verify();
      await shared.verify();
    },
  };
}
