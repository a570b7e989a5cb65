import { statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Settings } from "../../config/default-settings.js";
import type { Learning } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { capacityOf, reflectionsInWindow } from "../../episodic/reflections/reflection-window.js";
import type { CandidateSource } from "../../recall/candidate.js";
import type { RecallQuestion } from "../../recall/recall-question.js";
import { compareTasks, type TaskComparison } from "../../recall/similar/compare-tasks.js";
import { nearestTasks } from "../../recall/similar/find-similar-tasks.js";
import type { SimilarTaskRendering } from "../../recall/similar/render-similar-tasks.js";
import { bestLearningSource } from "../../recall/sources/best-learnings.js";
import type { OnAltered } from "../../recall/sources/learning-candidates.js";
import { learningSource } from "../../recall/sources/learning-source.js";
import { type NoteAccess, noteSource, type WantedNotes } from "../../recall/sources/note-source.js";
import { reflectionSource } from "../../recall/sources/reflection-source.js";
import { skillSource } from "../../recall/sources/skill-source.js";
import { latestTaskSource, type TaskAccess, taskSource } from "../../recall/sources/task-source.js";
import { taskKind } from "../../search/record-kinds.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import { findStale } from "../learnings/learning-staleness.js";
import { listNotes } from "../notes/list-notes.js";
import { findNotes } from "../notes/search-notes.js";
import { windowOptions } from "../project/episodic-options.js";
import type { OpenProject } from "../project/open-project.js";
import type { StoreContext } from "../project/place.js";
import { makeSkillVerbs } from "../skills/skills.js";
import type { RecallInput } from "./recall-input.js";
import { similarTaskLimits } from "./similar-tasks.js";

/** What a recall draws from, and for what. */
export interface RecallScope {
  project: OpenProject;
  /** The project's store and the user's, if they exist. */
  stores: readonly StoreContext[];
  settings: Settings;
  input: RecallInput;
  task: StoredTask | undefined;
  /** Called with learnings that something other than Ralph changed. */
  onAltered: OnAltered;
}

/** The sources that settings and input enable. */
export async function candidateSources(scope: RecallScope): Promise<CandidateSource[]> {
  const { project, stores, settings, input, task, onAltered } = scope;
  const [first] = stores;
  const isCrossTask = input.isCrossTask ?? settings["cross_task_learning.enabled"];
  const learnings = {
    stores: stores.map(({ store }) => store),
    findStale: (found: readonly Learning[]) => staleShares(project.root, found),
    onAltered,
  };
  const sources: CandidateSource[] = [];
  if (input.isOverview) {
    if (isCrossTask) sources.push(bestLearningSource(learnings));
    if (isCrossTask && first !== undefined)
      sources.push(latestTaskSource(first.store, taskRendering(settings)));
    if (showsNotes(settings)) sources.push(await notes(scope, "newest"));
    return sources;
  }
  if (first !== undefined && task !== undefined && input.hasReflections !== false)
    sources.push(ownReflections(first, task, capacityOf(input.memory, task, windowOptions(settings))));
  if (isCrossTask) {
    const hasTasks =
      first !== undefined &&
      input.hasSimilarTasks !== false &&
      (await first.store.lexical.estimateDocuments(taskKind)) > 0;
    const compare = comparedOnce(scope, hasTasks ? first : undefined);
    const findRelated = async (question: RecallQuestion) => nearestTasks(await compare(question));
    sources.push(learningSource({ ...learnings, taskId: task?.id, findRelated }));
    // After the learnings, so that the same is not shown twice.
    if (hasTasks)
      sources.push(
        taskSource({
          repositories: first.store,
          compare,
          limits: similarTaskLimits({ excludeTaskId: task?.id }, settings),
          rendering: taskRendering(settings),
        }),
      );
  }
  if (showsNotes(settings)) sources.push(await notes(scope, input.notes ?? "relevant"));
  sources.push(skillSource((objective, limit) => locatedSkills(project, objective, limit)));
  return sources;
}

function showsNotes(settings: Settings): boolean {
  return settings["memories.enabled"] && settings["memories.inject"] === "auto";
}

function ownReflections({ store }: StoreContext, task: StoredTask, capacity: number): CandidateSource {
  return reflectionSource(async () =>
    reflectionsInWindow(await store.reflections.listLast(task.number), capacity),
  );
}

function taskRendering(settings: Settings): SimilarTaskRendering {
  return {
    maxTokens: settings["cross_task_learning.injection.max_tokens"],
    injectReflections: settings["cross_task_learning.injection.inject_reflections"],
    injectSummary: settings["cross_task_learning.injection.inject_summary"],
  };
}

/** Learnings, similar tasks and the estimate need the same comparison. */
function comparedOnce(scope: RecallScope, context: StoreContext | undefined): TaskAccess["compare"] {
  let compared: Promise<readonly TaskComparison[]> | undefined;
  return (question) => {
    if (context === undefined) return Promise.resolve([]);
    compared ??= comparedTasks(scope, context, question);
    return compared;
  };
}

/** Finished tasks that have something in common with the question. */
async function comparedTasks(
  { project, settings, task }: RecallScope,
  { store }: StoreContext,
  { objective, errors, files, now }: RecallQuestion,
): Promise<readonly TaskComparison[]> {
  return compareTasks(store, {
    ...{ objective, errors, files, now },
    maxAgeDays: settings["cross_task_learning.retrieval.max_age_days"],
    excludeTaskId: task?.id,
    vectors: (await project.configuredVectorSearch())?.taskVectors(store),
  });
}

async function notes(
  { project, stores: contexts, settings }: RecallScope,
  wanted: WantedNotes,
): Promise<CandidateSource> {
  const selection = {
    types: settings["memories.filter.types"],
    tags: settings["memories.filter.tags"],
    recentDays: settings["memories.filter.recent"],
  };
  const stores: NoteAccess[] = [];
  for (const context of contexts) {
    const findRecords = await project.recordFinder(context.store);
    stores.push({
      repositories: context.store,
      search: (question, limit) =>
        unlessUnusable(context, () => findNotes(context, { ...selection, question, limit }, findRecords)),
      listNewest: (limit) => unlessUnusable(context, () => listNotes(context, { ...selection, limit })),
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

async function locatedSkills(project: OpenProject, objective: string, limit: number) {
  const skills = await makeSkillVerbs(project).match(objective, limit);
  return skills.map((skill) => ({ ...skill, path: relative(project.root, skill.path) }));
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
  return new Map((await findStale(root, candidates)).map(({ id, changed }) => [id, changed]));
}

function wasTouched(path: string, since: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined || stat.mtimeMs > Date.parse(since);
}
