import { statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Settings } from "../../config/default-settings.js";
import type { Clock } from "../../domain/clock.js";
import { isTaskType, type Learning } from "../../domain/knowledge/learning.js";
import type { StoredNote } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { EpisodicContext } from "../../episodic/episodic-context.js";
import { bestOfAll } from "../../recall/brief/best-first.js";
import { type ComposedBrief, composeBrief } from "../../recall/brief/brief.js";
import { foldDuplicates } from "../../recall/brief/fold-duplicates.js";
import type { Candidate } from "../../recall/candidate.js";
import { type RecallContext, type RecallQuestion, toQuestion } from "../../recall/recall-question.js";
import { learningCandidates } from "../../recall/sources/learning-candidates.js";
import { noteCandidates } from "../../recall/sources/note-candidates.js";
import { skillCandidates } from "../../recall/sources/skill-candidates.js";
import type { FindRecords } from "../../search/search-records.js";
import { liftsOf } from "../../semantic/evidence/record-lifts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Store } from "../../store/store.js";
import { listNotes } from "../notes/list-notes.js";
import { searchNotes } from "../notes/search-notes.js";
import type { Shelf } from "../places/shelf.js";
import type { MatchedSkill } from "../skills/skill-verbs.js";
import { taskNotFound } from "../tasks/task-not-found.js";
import type { Recall, RecallInput } from "./recall-input.js";

/** What recall draws from. */
export interface RecallSources {
  /** The project's and the user's, as far as they exist. */
  shelves: readonly Shelf[];
  settings: Settings;
  clock: Clock;
  root: string;
  episodic(shelf: Shelf): Promise<EpisodicContext>;
  matchSkills(objective: string, limit: number): Promise<MatchedSkill[]>;
  /** How notes are found where that is not by words alone. */
  findBy(store: Store): Promise<FindRecords | undefined>;
}

const foundNotes = 16;
const fillingNotes = 60;
const foundSkills = 5;

/** What matters for an objective, of all that is remembered, and the brief that tells it within a budget. */
export async function recall(sources: RecallSources, input: RecallInput): Promise<Recall> {
  const { settings, shelves } = sources;
  const task = await findTask(shelves, input.taskId);
  const question = toQuestion(contextOf(input, task), sources.clock());
  if (task === undefined && input.memory !== undefined) await checkWindow(input.memory, settings);
  const own =
    task === undefined || input.hasReflections === false ? [] : await ownReflections(sources, task, input);
  const written = await writtenDown(sources, question, input);
  const across =
    (input.isCrossTask ?? settings["cross_task_learning.enabled"])
      ? await crossTask(sources, question, task)
      : [];
  const share = settings["recall.holdout"];
  const isHoldout = task !== undefined && (await isHeldOut(shelves, task, share));
  const limits = {
    budgetTokens: input.budgetTokens ?? settings["recall.budget"],
    sectionTokens: {
      notes: settings["memories.budget"],
      similar: settings["cross_task_learning.injection.max_tokens"],
    },
  };
  const wouldShow = composeBrief([...own, ...(await foldDuplicates([...across, ...written]))], limits);
  const brief = isHoldout ? composeBrief([...own, ...written], limits) : wouldShow;
  return {
    objective: question.objective,
    taskType: question.taskType,
    ...(task && { taskId: task.id }),
    isHoldout,
    isMeasured: share > 0,
    budgetTokens: limits.budgetTokens,
    tokens: brief.tokens,
    entries: brief.shown.map(toEntry),
    leftOut: brief.leftOut,
    best: bestOfAll(brief.shown).map(toEntry),
    text: brief.text,
    records: recordsIn(wouldShow),
  };
}

/** What is credited with the outcome: not a task's own reflections, which are rated by themselves. */
function recordsIn({ shown }: ComposedBrief): Recall["records"] {
  return shown.filter(({ section }) => section !== "reflections").map(({ id, kind }) => ({ id, kind }));
}

function toEntry({ id, kind, section, statement, text, score, parts }: Candidate): Recall["entries"][number] {
  return { id, kind, section, statement, text, score, parts };
}

async function findTask(
  shelves: readonly Shelf[],
  taskId: string | undefined,
): Promise<StoredTask | undefined> {
  if (taskId === undefined) return undefined;
  const [shelf] = shelves;
  if (shelf === undefined) throw taskNotFound(taskId);
  return (await import("../../episodic/tasks/get-task.js")).getTask(shelf.store, taskId);
}

function contextOf(input: RecallInput, task: StoredTask | undefined): RecallContext {
  const objective = input.objective ?? task?.description;
  if (typeof objective !== "string" || objective.trim() === "")
    throw new RalphError("wrong-use", "Recall needs an objective", {
      hint: 'such as "Fix the login test", or a task',
    });
  return { ...input, objective };
}

async function ownReflections(
  { shelves: [shelf], episodic }: RecallSources,
  task: StoredTask,
  { memory }: RecallInput,
): Promise<Candidate[]> {
  if (shelf === undefined) return [];
  const { window } = await episodic(shelf);
  const { capacityOf, reflectionsInWindow } = await import("../../episodic/window/window.js");
  const { reflectionCandidates } = await import("../../recall/sources/reflection-candidates.js");
  return reflectionCandidates(await reflectionsInWindow(shelf.store, task, capacityOf(memory, task, window)));
}

/** Without a task there are no reflections to choose from; a wish that no window fits is refused all the same. */
async function checkWindow(memory: NonNullable<RecallInput["memory"]>, settings: Settings): Promise<void> {
  const { capacityOf } = await import("../../episodic/window/window.js");
  const { windowOptions } = await import("../tasks/episodic-options.js");
  capacityOf(memory, {}, windowOptions(settings));
}

/** What other tasks taught: those that are similar, and what was learned from all of them. */
async function crossTask(
  sources: RecallSources,
  question: RecallQuestion,
  task: StoredTask | undefined,
): Promise<Candidate[]> {
  const { shelves, root } = sources;
  const findStale = (learnings: readonly Learning[]) => staleShares(root, learnings);
  const learned: Candidate[] = [];
  for (const { store } of shelves) learned.push(...(await learningCandidates(store, question, findStale)));
  return [...(await similarCandidates(sources, question, task)), ...learned];
}

async function similarCandidates(
  { shelves: [shelf], settings }: RecallSources,
  { objective, taskType, errors, files, now }: RecallQuestion,
  task: StoredTask | undefined,
): Promise<Candidate[]> {
  if (shelf === undefined) return [];
  const search = { objective, taskType: isTaskType(taskType) ? taskType : undefined, errors, files };
  const { similarTasks } = await import("../tasks/find-similar-tasks.js");
  const found = await similarTasks(shelf.store, { ...search, excludeTaskId: task?.id }, settings, now);
  const { taskCandidates } = await import("../../recall/sources/task-candidates.js");
  return taskCandidates(found, {
    maxTokens: settings["cross_task_learning.injection.max_tokens"],
    injectReflections: settings["cross_task_learning.injection.inject_reflections"],
    injectSummary: settings["cross_task_learning.injection.inject_summary"],
  });
}

/** What somebody wrote down for everybody: notes and skills. */
async function writtenDown(
  sources: RecallSources,
  question: RecallQuestion,
  input: RecallInput,
): Promise<Candidate[]> {
  const notes = await recallNotes(sources, question, input);
  const skills = await sources.matchSkills(question.objective, foundSkills);
  const located = skills.map((skill) => ({ ...skill, path: relative(sources.root, skill.path) }));
  return [...notes, ...skillCandidates(located)];
}

async function recallNotes(
  { shelves, settings, findBy }: RecallSources,
  question: RecallQuestion,
  { notes: wanted = "relevant" }: RecallInput,
): Promise<Candidate[]> {
  if (!settings["memories.enabled"] || settings["memories.inject"] !== "auto") return [];
  const selection = {
    types: settings["memories.filter.types"],
    tags: settings["memories.filter.tags"],
    recentDays: settings["memories.filter.recent"],
  };
  const answers: StoredNote[][] = [];
  const others: StoredNote[] = [];
  const lifts = new Map<string, number>();
  let isByMeaning = false;
  for (const shelf of shelves) {
    const findRecords = await findBy(shelf.store);
    isByMeaning ||= findRecords !== undefined;
    const own: StoredNote[][] = [];
    for (const text of question.texts)
      own.push(await searchNotes(shelf, { ...selection, text, limit: foundNotes }, findRecords));
    const filling = wanted === "all" ? await listNotes(shelf, { ...selection, limit: fillingNotes }) : [];
    const ids = [...own.flat(), ...filling].map(({ id }) => id);
    for (const [id, lift] of await liftsOf(shelf.store, ids)) lifts.set(id, lift);
    answers.push(...own);
    others.push(...filling);
  }
  return noteCandidates(answers, others, question, lifts, isByMeaning);
}

/** Git is asked only where a file that a learning speaks of is gone or was written since. */
async function staleShares(
  root: string,
  learnings: readonly Learning[],
): Promise<ReadonlyMap<string, number>> {
  const doubtful = learnings.filter(
    ({ git_commit: commit, files = [], updatedAt }) =>
      commit !== undefined && files.some((file) => wasTouched(join(root, file), updatedAt)),
  );
  if (doubtful.length === 0) return new Map();
  const { findStale } = await import("../learnings/learning-staleness.js");
  return new Map((await findStale(root, doubtful)).map(({ id, changed }) => [id, changed]));
}

function wasTouched(path: string, since: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined || stat.mtimeMs > Date.parse(since);
}

/** What was decided with a task's first brief stands, whatever is set since. */
async function isHeldOut(
  [shelf]: readonly Shelf[],
  { id, uuid }: StoredTask,
  share: number,
): Promise<boolean> {
  const decided = await shelf?.store.credits.findHoldout(id);
  return decided ?? (await import("../../recall/metrics/control-group.js")).isControlTask(uuid, share);
}
