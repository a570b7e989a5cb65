import { lazyModule } from "../../domain/lazy-module.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { SemanticContext } from "../../semantic/semantic-context.js";
import type { Repositories } from "../../store/store.js";
import type { MemoryAccess } from "../project/memory-access.js";
import { type TaskAccess, type TaskContext, taskAccess } from "../project/task-context.js";
import type { LearningVerbs } from "./learning-verbs.js";

const records = lazyModule(() => import("../../semantic/records/learning-records.js"));
const getting = lazyModule(() => import("../../semantic/records/learning-records.js"));
const storing = lazyModule(() => import("../../semantic/records/store-learning.js"));
const pruning = lazyModule(() => import("../../semantic/records/learning-records.js"));
const staging = lazyModule(() => import("../../semantic/staging/stage-learnings.js"));
const promotion = lazyModule(() => import("../../semantic/staging/promote-learnings.js"));
const pipeline = lazyModule(() => import("../../semantic/staging/pipeline.js"));
const loops = lazyModule(() => import("../../semantic/extract/parse-loop-state.js"));
const exchange = lazyModule(() => import("../../semantic/exchange/exchange-learnings.js"));
const reasons = lazyModule(() => import("../../semantic/staging/validate-learning.js"));
const joining = lazyModule(() => import("../../semantic/exchange/import-learnings.js"));
const importing = lazyModule(() => import("../../semantic/exchange/learnings-document.js"));
const exporting = lazyModule(() => import("./exchange/export-learnings.js"));
const merging = lazyModule(() => import("../../semantic/merge/merge-duplicates.js"));
const lessons = lazyModule(() => import("./lessons/learn-from-tasks.js"));
const evidence = lazyModule(() => import("./lessons/why-learning.js"));
const searching = lazyModule(() => import("../../semantic/retrieve/search-learnings.js"));
const weighing = lazyModule(() => import("../../semantic/evidence.js"));
const lineage = lazyModule(() => import("../../semantic/records/link-records.js"));
const staleness = lazyModule(() => import("./learning-staleness.js"));
const integrity = lazyModule(() => import("../../semantic/records/checksum.js"));
const accepting = lazyModule(() => import("../../semantic/records/learning-records.js"));
const backups = lazyModule(() => import("../../semantic/exchange/learning-backups.js"));

type Change<Result> = (tx: Repositories, now: Date, context: TaskContext) => Promise<Result>;
type Access = TaskAccess["write"];

/** The verbs that need only the store of learnings. */
export type OwnLearningVerbs = Omit<LearningVerbs, "publish">;

export function makeLearningVerbs(session: MemoryAccess): OwnLearningVerbs {
  const { readOrEmpty, write, change } = taskAccess(session);
  const { root } = session;

  const inTransaction = <Result>(access: Access, work: Change<Result>): Promise<Result> =>
    access((context) => context.store.transaction((tx) => work(tx, context.clock(), context)));

  const isReviewed = async (): Promise<boolean> =>
    (await session.settings())["learnings.promotion"] === "review";

  /** Backs up before a bulk change. */
  const withBackup = <Result>(access: Access, work: Change<Result>, dryRun = false): Promise<Result> =>
    access(async (context) => {
      const { store, clock } = context;
      if (dryRun) {
        const { inDryRun } = await import("../../store/in-dry-run.js");
        return inDryRun(store, (tx) => work(tx, clock(), context));
      }
      await backUp(context, context.backups);
      return store.transaction((tx) => work(tx, clock(), context));
    });

  return {
    add: (learning) => write((context) => storing.storeLearning(context, learning)),
    get: (id) => readOrEmpty(({ store }) => getting.getLearning(store, id)),
    list: (query = {}) => readOrEmpty((context) => records.queryLearnings(context, query)),
    count: (query = {}) => readOrEmpty((context) => records.countLearnings(context, query)),
    search: (search) => readOrEmpty(({ store }) => searching.searchLearnings(store, search)),
    update: (id, updates) => change((context) => records.updateLearning(context, id, updates)),
    delete: (id) =>
      change(async (context) => {
        const learning = await getting.getLearning(context.store, id);
        await records.deleteLearning(context, learning.id);
        return learning;
      }),
    clear: () =>
      change(async (context) => {
        await backUp(context, context.backups);
        return records.clearLearnings(context);
      }),
    prune: (options) =>
      withBackup(change, (tx, now) => pruning.pruneLearnings(tx, options, now), options.dryRun),
    stats: () => readOrEmpty(records.knowledgeStats),
    why: (id) => readOrEmpty((context) => evidence.whyLearning(context, id)),
    weigh: (ids) => readOrEmpty(({ store }) => weighing.weighLearnings(store, ids)),
    lineage: (id) => readOrEmpty(({ store }) => lineage.lineageOf(store, id)),
    findStale: (learnings) => staleness.findStale(root, learnings),

    learnFromTask: (id, options = {}) =>
      change(async (context) =>
        lessons.learnFromTask(context, id, { isReviewed: options.isReviewed ?? (await isReviewed()) }),
      ),
    async learnFromLoop(raw, options = {}) {
      const loop = await loops.parseLoopState(raw);
      const choice = { isReviewed: options.isReviewed ?? (await isReviewed()) };
      return inTransaction(write, (tx, _now, context) => pipeline.settleLoop(tx, context, loop, choice));
    },
    consolidate: (options) =>
      change(async (context) =>
        lessons.consolidateTasks(context, { ...options, isReviewed: await isReviewed() }),
      ),

    stage: (found) =>
      inTransaction(write, (tx, now) => staging.stageLearnings(tx.stagedLearnings, found, now)),
    listStaged: () =>
      readOrEmpty(async ({ store }) => {
        const staged = await store.stagedLearnings.list();
        return Promise.all(staged.map((entry) => reasons.withReason(entry)));
      }),
    stagingStats: () => readOrEmpty(({ store }) => staging.stagingStats(store.stagedLearnings)),
    validateStaged: () =>
      inTransaction(change, (tx, now) => staging.validateStaged(tx.stagedLearnings, now.toISOString())),
    acceptStaged: (id, statement) =>
      inTransaction(change, (tx, now) =>
        staging.acceptStaged(tx.stagedLearnings, id, { statement, now: now.toISOString() }),
      ),
    async rejectStaged(id, reason) {
      const reviewer = await session.actor();
      return inTransaction(change, (tx) => staging.rejectStaged(tx.stagedLearnings, id, reason, reviewer));
    },
    async promoteStaged(options = {}) {
      const choice = { reviewer: await session.actor(), ...options };
      return inTransaction(change, (tx, now, context) =>
        promotion.promoteStaged(tx, context, choice, now.toISOString()),
      );
    },
    clearStaged: () =>
      inTransaction(change, async (tx) => {
        await tx.stagedLearnings.clear();
      }),

    export: (format = "json") => readOrEmpty((context) => exporting.exportLearnings(context, format)),
    async import(text) {
      const learnings = await importing.parseImport(text);
      const choice = { isReviewed: await isReviewed() };
      return withBackup(write, (tx, now) => joining.importLearnings(tx, learnings, { ...choice, now }));
    },
    async merge(text, { dryRun } = {}) {
      const learnings = await importing.parseImport(text);
      const choice = { isReviewed: await isReviewed() };
      return withBackup(
        dryRun ? change : write,
        async (tx, now) => ({
          ...(await joining.importLearnings(tx, learnings, { ...choice, now })),
          duplicates: await merging.mergeDuplicates(tx, now.toISOString()),
        }),
        dryRun,
      );
    },
    mergeDuplicates: ({ dryRun } = {}) =>
      withBackup(change, (tx, now) => merging.mergeDuplicates(tx, now.toISOString()), dryRun),
    verify: () => readOrEmpty((context) => exchange.verifyLearnings(context)),
    findAltered: (learnings) =>
      readOrEmpty(({ store }) =>
        integrity.findAltered(
          store,
          learnings?.map(({ id }) => id),
        ),
      ),
    acceptAltered: (id) => inTransaction(change, (tx) => accepting.acceptAltered(tx, id)),
    restoreAltered: () =>
      inTransaction(change, (tx, _now, context) => backups.restoreAltered(tx, context.backups)),
    backUp: () =>
      write(({ store, clock, backups: folder }) => backups.backUpLearnings(store, folder, clock())),
    restore: (path) =>
      write(async (context) => {
        const { store } = context;
        const backup = await backups.readLearningBackup(context.backups, path);
        await backUp(context, context.backups);
        await store.transaction((tx) => backups.replaceLearnings(tx, backup.learnings));
        return { path: backup.path, learnings: backup.learnings.length };
      }),
  };
}

async function backUp({ store, clock }: SemanticContext, folder: string): Promise<void> {
  if ((await store.learnings.totals()).count === 0) return;
  try {
    await backups.backUpLearnings(store, folder, clock(), { isAutomatic: true });
  } catch (error) {
    // Damaged records must not push out good backups.
    if (!(error instanceof RalphError) || error.code !== "store-damaged") throw error;
    await backups.putAsideLearnings(store, folder, clock());
  }
}
