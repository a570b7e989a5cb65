import { statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Settings } from "../../config/default-settings.js";
import type { Clock } from "../../domain/clock.js";
import type { Learning } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { EpisodicContext } from "../../episodic/episodic-context.js";
import type { CandidateSource } from "../../recall/candidate.js";
import type { RecallQuestion } from "../../recall/recall-question.js";
import type { TaskComparison, TaskVectors } from "../../recall/similar/compare-tasks.js";
import { nearestTasks } from "../../recall/similar/find-similar-tasks.js";
import type { SimilarTaskRendering } from "../../recall/similar/render-similar-tasks.js";
import type { OnAltered } from "../../recall/sources/learning-candidates.js";
import { learningSource } from "../../recall/sources/learning-source.js";
import { type NoteAccess, noteSource, type WantedNotes } from "../../recall/sources/note-source.js";
import { skillSource } from "../../recall/sources/skill-source.js";
import type { TaskAccess } from "../../recall/sources/task-source.js";
import { taskKind } from "../../search/record-kinds.js";
import type { FindRecords } from "../../search/search-records.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Store } from "../../store/store.js";
import { listNotes } from "../notes/list-notes.js";
import { findNotes } from "../notes/search-notes.js";
import type { StoreContext } from "../project/place.js";
import type { MatchedSkill } from "../skills/skills.js";
import type { RecallInput } from "./recall-input.js";
import type { Imported } from "./without-imported.js";

/** What recall draws from. */
export interface RecallSources {
  /** The project's and the user's, if they exist. */
  shelves: readonly StoreContext[];
  settings: Settings;
  clock: Clock;
  root: string;
  episodic(shelf: StoreContext): Promise<EpisodicContext>;
  matchSkills(objective: string, limit: number): Promise<MatchedSkill[]>;
  /** What came with a dump and reads like an instruction; undefined if nothing did. */
  imported?: Imported | undefined;
  /** Searches notes by vectors too, if an embedder is configured. */
  recordFinder(store: Store): Promise<FindRecords | undefined>;
  /** Undefined without an embedder. */
  taskVectors(store: Store): Promise<TaskVectors | undefined>;
}

/** The sources that settings and input enable; rarely needed code is loaded on demand. */
export async function candidateSources(
  sources: RecallSources,
  input: RecallInput,
  task: StoredTask | undefined,
  onAltered: OnAltered,
): Promise<CandidateSource[]> {
  const { shelves, settings, root } = sources;
  if (input.isOverview) return overviewSources(sources, input, onAltered);
  const [shelf] = shelves;
  const found: CandidateSource[] = [];
  if (shelf !== undefined && task !== undefined && input.hasReflections !== false)
    found.push(await ownReflections(sources, shelf, task, input));
  if (input.isCrossTask ?? settings["cross_task_learning.enabled"]) {
    const stores = shelves.map(({ store }) => store);
    // The code that compares tasks is loaded only if there are any.
    const hasTasks =
      shelf !== undefined &&
      input.hasSimilarTasks !== false &&
      (await shelf.store.lexical.estimateDocuments(taskKind)) > 0;
    const compare = comparedOnce(sources, hasTasks ? shelf : undefined, task);
    found.push(
      learningSource({
        stores,
        findStale: (learnings) => staleShares(root, learnings),
        taskId: task?.id,
        findRelated: async (question) => nearestTasks(await compare(question)),
        onAltered,
      }),
    );
    // After the learnings: what they tell is not told again.
    if (hasTasks) found.push(await similarTasks(sources, shelf, { task, compare }));
  }
  if (showsNotes(settings)) found.push(await notes(sources, input.notes ?? "relevant"));
  found.push(skillSource((objective, limit) => locatedSkills(sources, objective, limit)));
  return found;
}

async function overviewSources(
  sources: RecallSources,
  { isCrossTask }: RecallInput,
  onAltered: OnAltered,
): Promise<CandidateSource[]> {
  const { shelves, settings, root } = sources;
  const found: CandidateSource[] = [];
  if (isCrossTask ?? settings["cross_task_learning.enabled"]) {
    const { bestLearningSource } = await import("../../recall/sources/best-learnings.js");
    const stores = shelves.map(({ store }) => store);
    const findStale = (learnings: readonly Learning[]) => staleShares(root, learnings);
    found.push(bestLearningSource({ stores, findStale, onAltered }));
    if (shelves[0] !== undefined) found.push(await latestTasks(sources, shelves[0]));
  }
  if (showsNotes(settings)) found.push(await notes(sources, "newest"));
  return found;
}

function showsNotes(settings: Settings): boolean {
  return settings["memories.enabled"] && settings["memories.inject"] === "auto";
}

async function ownReflections(
  { episodic }: RecallSources,
  shelf: StoreContext,
  task: StoredTask,
  { memory }: RecallInput,
): Promise<CandidateSource> {
  const { capacityOf, reflectionsInWindow } = await import("../../episodic/window/window.js");
  const { reflectionSource } = await import("../../recall/sources/reflection-source.js");
  const capacity = capacityOf(memory, task, (await episodic(shelf)).window);
  return reflectionSource(async () =>
    reflectionsInWindow(await shelf.store.reflections.listLast(task.number), capacity),
  );
}

async function similarTasks(
  { settings }: RecallSources,
  { store }: StoreContext,
  { task, compare }: { task: StoredTask | undefined; compare: TaskAccess["compare"] },
): Promise<CandidateSource> {
  const { similarTaskLimits } = await import("./similar/find-similar-tasks.js");
  const { taskSource } = await import("../../recall/sources/task-source.js");
  return taskSource({
    repositories: store,
    compare,
    limits: similarTaskLimits({ excludeTaskId: task?.id }, settings),
    rendering: taskRendering(settings),
  });
}

async function latestTasks({ settings }: RecallSources, { store }: StoreContext): Promise<CandidateSource> {
  const { latestTaskSource } = await import("../../recall/sources/task-source.js");
  return latestTaskSource(store, taskRendering(settings));
}

function taskRendering(settings: Settings): SimilarTaskRendering {
  return {
    maxTokens: settings["cross_task_learning.injection.max_tokens"],
    injectReflections: settings["cross_task_learning.injection.inject_reflections"],
    injectSummary: settings["cross_task_learning.injection.inject_summary"],
  };
}

/** Learnings, similar tasks and the estimate need the same comparison. */
function comparedOnce(
  sources: RecallSources,
  shelf: StoreContext | undefined,
  task: StoredTask | undefined,
): TaskAccess["compare"] {
  let compared: Promise<readonly TaskComparison[]> | undefined;
  return (question) => {
    if (shelf === undefined) return Promise.resolve([]);
    compared ??= comparedTasks(sources, shelf, question, task);
    return compared;
  };
}

/** Finished tasks that have something in common with the question. */
async function comparedTasks(
  { settings, taskVectors }: RecallSources,
  { store }: StoreContext,
  { objective, errors, files, now }: RecallQuestion,
  task: StoredTask | undefined,
): Promise<readonly TaskComparison[]> {
  const { compareTasks } = await import("../../recall/similar/compare-tasks.js");
  return compareTasks(store, {
    objective,
    errors,
    files,
    now,
    maxAgeDays: settings["cross_task_learning.retrieval.max_age_days"],
    excludeTaskId: task?.id,
    vectors: await taskVectors(store),
  });
}

async function notes(
  { shelves, settings, recordFinder }: RecallSources,
  wanted: WantedNotes,
): Promise<CandidateSource> {
  const selection = {
    types: settings["memories.filter.types"],
    tags: settings["memories.filter.tags"],
    recentDays: settings["memories.filter.recent"],
  };
  const stores: NoteAccess[] = [];
  for (const shelf of shelves) {
    const findRecords = await recordFinder(shelf.store);
    stores.push({
      repositories: shelf.store,
      search: (question, limit) =>
        unlessUnusable(shelf, () => findNotes(shelf, { ...selection, question, limit }, findRecords)),
      listNewest: (limit) => unlessUnusable(shelf, () => listNotes(shelf, { ...selection, limit })),
      isByMeaning: findRecords !== undefined,
    });
  }
  return noteSource(stores, wanted);
}

/** A notes file that cannot be read costs only its notes. */
async function unlessUnusable<Found>(
  { notify }: StoreContext,
  find: () => Promise<Found[]>,
): Promise<Found[]> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "file-unusable") throw error;
    notify({ kind: "notes-unusable", message: error.message });
    return [];
  }
}

async function locatedSkills({ matchSkills, root }: RecallSources, objective: string, limit: number) {
  const skills = await matchSkills(objective, limit);
  return skills.map((skill) => ({ ...skill, path: relative(root, skill.path) }));
}

/** Runs git only for learnings whose files were deleted or modified since. */
async function staleShares(
  root: string,
  learnings: readonly Learning[],
): Promise<ReadonlyMap<string, number>> {
  const candidates = learnings.filter(
    ({ git_commit: commit, files = [], updatedAt }) =>
      commit !== undefined && files.some((file) => wasTouched(join(root, file), updatedAt)),
  );
  if (candidates.length === 0) return new Map();
  const { findStale } = await import("../learnings/learning-staleness.js");
  return new Map((await findStale(root, candidates)).map(({ id, changed }) => [id, changed]));
}

function wasTouched(path: string, since: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined || stat.mtimeMs > Date.parse(since);
}
