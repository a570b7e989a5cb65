import { RalphError } from "../../domain/ralph-error.js";
import type { SemanticContext } from "../../semantic/semantic-context.js";
import type { Repositories } from "../../store/store.js";
import type { JoinedStore, LearningAccess, LearningVerbs } from "./learning-verbs.js";

/** The verbs on learnings; each loads its code when it is called. */
export function makeLearningVerbs({ root, recording, changing, reading }: LearningAccess): LearningVerbs {
  const records = () => import("../../semantic/records/learning-records.js");
  const staging = () => import("../../semantic/staging/stage-learnings.js");
  const knowledge = () => import("../../semantic/retrieve/relevant-knowledge.js");
  const links = () => import("../../semantic/records/link-records.js");
  const backups = () => import("../../semantic/exchange/learning-backups.js");
  const exchange = () => import("../../semantic/exchange/exchange-learnings.js");

  type Change<Result> = (tx: Repositories, now: Date, context: SemanticContext) => Promise<Result>;

  const inTransaction = <Result>(access: LearningAccess["changing"], work: Change<Result>): Promise<Result> =>
    access((context) => context.store.transaction((tx) => work(tx, context.clock(), context)));

  const backUp = async ({ store, clock }: SemanticContext, folder: string): Promise<void> => {
    if ((await store.learnings.totals()).count === 0) return;
    const { backUpLearnings, putAsideLearnings } = await backups();
    try {
      await backUpLearnings(store, folder, clock(), { isAutomatic: true });
    } catch (error) {
      // Damaged records must not take the place of good backups.
      if (!(error instanceof RalphError) || error.code !== "store-damaged") throw error;
      await putAsideLearnings(store, folder, clock());
    }
  };

  /** Changes of many records at once are preceded by a backup. */
  const backedUp = <Result>(
    access: LearningAccess["changing"],
    work: Change<Result>,
    isDryRun = false,
  ): Promise<Result> =>
    access(async (context, folder) => {
      const { store, clock } = context;
      if (isDryRun)
        return (await import("../../store/rehearse.js")).rehearse(store, (tx) => work(tx, clock(), context));
      await backUp(context, folder);
      return store.transaction((tx) => work(tx, clock(), context));
    });

  return {
    storeLearning: (learning) =>
      recording(async (context) =>
        (await import("../../semantic/records/store-learning.js")).storeLearning(context, learning),
      ),
    retrieveLearning: (id) => changing(async (context) => (await records()).retrieveLearning(context, id)),
    getLearning: (id) =>
      reading(async ({ store }) =>
        (await import("../../semantic/records/get-learning.js")).getLearning(store, id),
      ),
    queryLearnings: (query = {}) =>
      reading(async (context) => (await records()).queryLearnings(context, query)),
    updateLearning: (id, updates) =>
      changing(async (context) => (await records()).updateLearning(context, id, updates)),
    deleteLearning: (id) => changing(async (context) => (await records()).deleteLearning(context, id)),
    clearLearnings: () =>
      changing(async (context, folder) => {
        await backUp(context, folder);
        return (await records()).clearLearnings(context);
      }),
    learningStats: () => reading(async (context) => (await records()).knowledgeStats(context)),
    verifyLearnings: () => reading(async (context) => (await exchange()).verifyLearnings(context)),
    loadLearnings: () => reading(async (context) => (await exchange()).loadDocument(context)),
    saveLearnings: (document, before = []) =>
      recording(async (context) => (await exchange()).saveDocument(context, document, before)),
    async importLearnings(text) {
      const { parseImport } = await import("../../semantic/exchange/parse-import.js");
      const learnings = parseImport(text);
      return backedUp(recording, async (tx) => (await exchange()).joinLearnings(tx, learnings));
    },
    async joinStore(text, { isDryRun } = {}) {
      const { parseImport } = await import("../../semantic/exchange/parse-import.js");
      const learnings = parseImport(text);
      const { mergeDuplicates } = await import("../../semantic/merge/merge-duplicates.js");
      const join: Change<JoinedStore> = async (tx, now) => ({
        ...(await (await exchange()).joinLearnings(tx, learnings)),
        duplicates: await mergeDuplicates(tx, now.toISOString()),
      });
      return backedUp(isDryRun ? changing : recording, join, isDryRun);
    },
    mergeDuplicates: ({ isDryRun } = {}) =>
      backedUp(
        changing,
        async (tx, now) =>
          (await import("../../semantic/merge/merge-duplicates.js")).mergeDuplicates(tx, now.toISOString()),
        isDryRun,
      ),
    pruneLearnings: (options) =>
      backedUp(
        changing,
        async (tx, now) =>
          (await import("../../semantic/records/prune-learnings.js")).pruneLearnings(tx, options, now),
        options.isDryRun,
      ),

    stageLearnings: (found) =>
      inTransaction(recording, async (tx, now) => (await staging()).stageLearnings(tx, found, now)),
    listStaged: () => reading(({ store }) => store.stagedLearnings.list()),
    stagingStats: () => reading(async ({ store }) => (await staging()).stagingStats(store)),
    validateStaged: () =>
      inTransaction(changing, async (tx, now) => (await staging()).validateStaged(tx, now.toISOString())),
    acceptStaged: (id, statement) =>
      inTransaction(changing, async (tx, now) =>
        (await staging()).acceptStaged(tx, id, { statement, now: now.toISOString() }),
      ),
    rejectStaged: (id, reason) =>
      inTransaction(changing, async (tx) => (await staging()).rejectStaged(tx, id, reason)),
    promoteStaged: (options = {}) =>
      inTransaction(changing, async (tx, now, context) => {
        const { promoteStaged } = await import("../../semantic/staging/promote-learnings.js");
        return promoteStaged(tx, context, options, now.toISOString());
      }),
    clearStaging: () =>
      inTransaction(changing, async (tx) => {
        await tx.stagedLearnings.clear();
      }),
    runPipeline: (loop, options = {}) =>
      recording(async (context) =>
        (await import("../../semantic/staging/run-pipeline.js")).runPipeline(context, loop, options),
      ),
    learnFromTask: (id, options = {}) =>
      changing(async (context) =>
        (await import("./learn-from-tasks.js")).learnFromTask(context, id, options),
      ),
    consolidate: (options) =>
      changing(async (context) => (await import("./learn-from-tasks.js")).consolidateTasks(context, options)),

    relevantKnowledge: (about) =>
      reading(async ({ store, clock }) => (await knowledge()).relevantKnowledge(store, about, clock())),
    antiPatterns: (about) =>
      reading(async ({ store, clock }) => (await knowledge()).antiPatterns(store, about, clock())),
    fileConventions: (filePatterns) =>
      reading(async ({ store }) => (await knowledge()).fileConventions(store, filePatterns)),
    findEstimate: (taskType, complexity) =>
      reading(async ({ store }) => (await knowledge()).findEstimate(store, taskType, complexity)),
    topLearnings: (about, limit) =>
      reading(async ({ store, clock }) => (await knowledge()).topLearnings(store, about, limit, clock())),
    whyLearning: (id) =>
      reading(async (context) => (await import("./why-learning.js")).whyLearning(context, id)),
    findStale: async (learnings) => (await import("./learning-staleness.js")).findStale(root, learnings),
    recordBrief: (brief) =>
      inTransaction(recording, async (tx) =>
        (await import("../../semantic/evidence/credit-brief.js")).recordBrief(tx, brief),
      ),

    addLink: (link) => recording(async (context) => (await links()).addLink(context, link)),
    removeLink: (link) => changing(async (context) => (await links()).removeLink(context, link)),
    listLinks: (id) => reading(async (context) => (await links()).listLinks(context, id)),

    backUpLearnings: () =>
      recording(async ({ store, clock }, folder) =>
        (await backups()).backUpLearnings(store, folder, clock()),
      ),
    restoreLearnings: (path) =>
      recording(async (context, folder) => {
        const { store } = context;
        const { readLearningBackup, replaceLearnings } = await backups();
        const backup = readLearningBackup(folder, path);
        await backUp(context, folder);
        await store.transaction((tx) => replaceLearnings(tx, backup.learnings));
        return { path: backup.path, learnings: backup.learnings.length };
      }),
  };
}
