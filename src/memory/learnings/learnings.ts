import type { Learning, LearningType } from "../../domain/knowledge/learning.js";
import type { NoteType } from "../../domain/knowledge/note.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { RalphError } from "../../domain/ralph-error.js";
import { weighLearnings } from "../../semantic/evidence.js";
import { verifyLearnings } from "../../semantic/exchange/exchange-learnings.js";
import { importLearnings } from "../../semantic/exchange/import-learnings.js";
import {
  backUpLearnings,
  putAsideLearnings,
  readLearningBackup,
  replaceLearnings,
  restoreAltered,
} from "../../semantic/exchange/learning-backups.js";
import { parseImport } from "../../semantic/exchange/learnings-document.js";
import { parseLoopState } from "../../semantic/extract/parse-loop-state.js";
import { mergeDuplicates } from "../../semantic/merge/merge-duplicates.js";
import { findAltered } from "../../semantic/records/checksum.js";
import {
  acceptAltered,
  clearLearnings,
  countLearnings,
  deleteLearning,
  getLearning,
  knowledgeStats,
  pruneLearnings,
  queryLearnings,
  updateLearning,
} from "../../semantic/records/learning-records.js";
import { lineageOf } from "../../semantic/records/link-records.js";
import { storeLearning } from "../../semantic/records/store-learning.js";
import { searchLearnings } from "../../semantic/retrieve/search-learnings.js";
import type { SemanticContext } from "../../semantic/semantic-context.js";
import { promoteStaged } from "../../semantic/staging/promote-learnings.js";
import { settleLoop } from "../../semantic/staging/settle-findings.js";
import {
  acceptStaged,
  rejectStaged,
  stageLearnings,
  stagingStats,
  validateStaged,
} from "../../semantic/staging/stage-learnings.js";
import { withReason } from "../../semantic/staging/validate-learning.js";
import { inDryRun } from "../../store/in-dry-run.js";
import type { Repositories } from "../../store/store.js";
import { embedPending } from "../embed-pending.js";
import { linkVerbs } from "../links/links.js";
import type { AddedNote } from "../notes/note-input.js";
import { makeNoteVerbs } from "../notes/notes.js";
import type { MemoryAccess } from "../project/memory-access.js";
import type { OpenProject } from "../project/open-project.js";
import { type TaskAccess, type TaskContext, taskAccess } from "../project/task-context.js";
import { exportLearnings } from "./exchange/export-learnings.js";
import { findStale } from "./learning-staleness.js";
import type { LearningVerbs } from "./learning-verbs.js";
import { consolidateTasks, learnFromTask } from "./lessons/learn-from-tasks.js";
import { whyLearning } from "./lessons/why-learning.js";

type Change<Result> = (tx: Repositories, now: Date, context: TaskContext) => Promise<Result>;
type Access = TaskAccess["write"];

/** The verbs that need only the store of learnings. */
export type OwnLearningVerbs = Omit<LearningVerbs, "publish">;

export function learningVerbsOf(memory: MemoryAccess): OwnLearningVerbs {
  const { readOrEmpty, write, change } = taskAccess(memory);
  const { root } = memory;

  const inTransaction = <Result>(access: Access, work: Change<Result>): Promise<Result> =>
    access((context) => context.store.transaction((tx) => work(tx, context.clock(), context)));

  const isReviewed = async (): Promise<boolean> =>
    (await memory.settings())["learnings.promotion"] === "review";

  /** Backs up before a bulk change. */
  const withBackup = <Result>(access: Access, work: Change<Result>, dryRun = false): Promise<Result> =>
    access(async (context) => {
      const { store, clock } = context;
      if (dryRun) {
        return inDryRun(store, (tx) => work(tx, clock(), context));
      }
      await backUp(context, context.backups);
      return store.transaction((tx) => work(tx, clock(), context));
    });

  return {
    add: (learning) => write((context) => storeLearning(context, learning)),
    get: (id) => readOrEmpty(({ store }) => getLearning(store, id)),
    list: (query = {}) => readOrEmpty((context) => queryLearnings(context, query)),
    count: (query = {}) => readOrEmpty((context) => countLearnings(context, query)),
    search: (search) => readOrEmpty(({ store }) => searchLearnings(store, search)),
    update: (id, updates) => change((context) => updateLearning(context, id, updates)),
    delete: (id) =>
      change(async (context) => {
        const learning = await getLearning(context.store, id);
        await deleteLearning(context, learning.id);
        return learning;
      }),
    clear: () =>
      change(async (context) => {
        await backUp(context, context.backups);
        return clearLearnings(context);
      }),
    prune: (options) => withBackup(change, (tx, now) => pruneLearnings(tx, options, now), options.dryRun),
    stats: () => readOrEmpty(knowledgeStats),
    why: (id) => readOrEmpty((context) => whyLearning(context, id)),
    weigh: (ids) => readOrEmpty(({ store }) => weighLearnings(store, ids)),
    lineage: (id) => readOrEmpty(({ store }) => lineageOf(store, id)),
    findStale: (learnings) => findStale(root, learnings),

    learnFromTask: (id, options = {}) =>
      change(async (context) =>
        learnFromTask(context, id, { isReviewed: options.isReviewed ?? (await isReviewed()) }),
      ),
    async learnFromLoop(raw, options = {}) {
      const loop = await parseLoopState(raw);
      const choice = { isReviewed: options.isReviewed ?? (await isReviewed()) };
      return inTransaction(write, (tx, _now, context) => settleLoop(tx, context, loop, choice));
    },
    consolidate: (options) =>
      change(async (context) => consolidateTasks(context, { ...options, isReviewed: await isReviewed() })),

    stage: (found) => inTransaction(write, (tx, now) => stageLearnings(tx.stagedLearnings, found, now)),
    listStaged: () =>
      readOrEmpty(async ({ store }) => {
        const staged = await store.stagedLearnings.list();
        return Promise.all(staged.map((entry) => withReason(entry)));
      }),
    stagingStats: () => readOrEmpty(({ store }) => stagingStats(store.stagedLearnings)),
    validateStaged: () =>
      inTransaction(change, (tx, now) => validateStaged(tx.stagedLearnings, now.toISOString())),
    acceptStaged: (id, statement) =>
      inTransaction(change, (tx, now) =>
        acceptStaged(tx.stagedLearnings, id, { statement, now: now.toISOString() }),
      ),
    async rejectStaged(id, reason) {
      const reviewer = await memory.actor();
      return inTransaction(change, (tx) => rejectStaged(tx.stagedLearnings, id, reason, reviewer));
    },
    async promoteStaged(options = {}) {
      const choice = { reviewer: await memory.actor(), ...options };
      return inTransaction(change, (tx, now, context) =>
        promoteStaged(tx, context, choice, now.toISOString()),
      );
    },
    clearStaged: () =>
      inTransaction(change, async (tx) => {
        await tx.stagedLearnings.clear();
      }),

    export: (format = "json") => readOrEmpty((context) => exportLearnings(context, format)),
    async import(text) {
      const learnings = await parseImport(text);
      const choice = { isReviewed: await isReviewed() };
      return withBackup(write, (tx, now) => importLearnings(tx, learnings, { ...choice, now }));
    },
    async merge(text, { dryRun } = {}) {
      const learnings = await parseImport(text);
      const choice = { isReviewed: await isReviewed() };
      return withBackup(
        dryRun ? change : write,
        async (tx, now) => ({
          ...(await importLearnings(tx, learnings, { ...choice, now })),
          duplicates: await mergeDuplicates(tx, now.toISOString()),
        }),
        dryRun,
      );
    },
    mergeDuplicates: ({ dryRun } = {}) =>
      withBackup(change, (tx, now) => mergeDuplicates(tx, now.toISOString()), dryRun),
    verify: () => readOrEmpty((context) => verifyLearnings(context)),
    findAltered: (learnings) =>
      readOrEmpty(({ store }) =>
        findAltered(
          store,
          learnings?.map(({ id }) => id),
        ),
      ),
    acceptAltered: (id) => inTransaction(change, (tx) => acceptAltered(tx, id)),
    restoreAltered: () => inTransaction(change, (tx, _now, context) => restoreAltered(tx, context.backups)),
    backUp: () => write(({ store, clock, backups: folder }) => backUpLearnings(store, folder, clock())),
    restore: (path) =>
      write(async (context) => {
        const { store } = context;
        const backup = await readLearningBackup(context.backups, path);
        await backUp(context, context.backups);
        await store.transaction((tx) => replaceLearnings(tx, backup.learnings));
        return { path: backup.path, learnings: backup.learnings.length };
      }),
  };
}

async function backUp({ store, clock }: SemanticContext, folder: string): Promise<void> {
  if ((await store.learnings.totals()).count === 0) return;
  try {
    await backUpLearnings(store, folder, clock(), { isAutomatic: true });
  } catch (error) {
    // Damaged records must not push out good backups.
    if (!(error instanceof RalphError) || error.code !== "store-damaged") throw error;
    await putAsideLearnings(store, folder, clock());
  }
}

/** A project's learnings, which can be published as notes. */
export function learningVerbs(project: OpenProject): LearningVerbs {
  const learnings = learningVerbsOf(project);
  return {
    ...learnings,
    async consolidate(options) {
      const consolidated = await learnings.consolidate(options);
      if (!options.dryRun) await embedPending(project);
      return consolidated;
    },
    async publish(id) {
      const learning = await learnings.get(id);
      if ((await learnings.findAltered([learning])).length > 0)
        throw new RalphError("wrong-use", `${learning.id} was altered outside Ralph`, {
          hint: `if it is right, accept it first: ralph learnings verify --accept ${learning.id}`,
        });
      return publishLearning(project, learning);
    },
  };
}

export interface PublishedLearning extends AddedNote {
  learning: Learning;
}

const noteTypeOf: Record<LearningType, NoteType> = {
  strategy: "pattern",
  convention: "pattern",
  pattern: "pattern",
  antipattern: "fix",
  estimate: "context",
  fact: "context",
};

/** Writes a learning as a note, to be reviewed in git, and links the note to it. */
async function publishLearning(project: OpenProject, learning: Learning): Promise<PublishedLearning> {
  const added = await makeNoteVerbs(project).add({
    type: noteTypeOf[learning.type],
    content: noteContent(learning),
    tags: [learning.taskType, "learned"],
  });
  await linkVerbs(project).add({ from: added.note.id, to: learning.id, relation: "derived_from" });
  return { learning, ...added };
}

function noteContent(learning: Learning): string {
  const { why, prevention } = learning.content;
  const statement = statementOf(learning);
  const isSaid = typeof why === "string" && statement.includes(why.trim());
  const parts = [
    statement,
    why && !isSaid && `Why: ${why}`,
    prevention && `${learning.failure_key === undefined ? "Prevention" : "Remedy"}: ${prevention}`,
  ];
  return parts.filter((part) => typeof part === "string" && part !== "").join("\n");
}
