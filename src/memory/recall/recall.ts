import type { Settings } from "../../config/default-settings.js";
import { RalphError } from "../../domain/ralph-error.js";
import { type BriefLimits, bestOfAll } from "../../recall/brief.js";
import type { Candidate, CandidateSource } from "../../recall/candidate.js";
import { recallFrom } from "../../recall/recall.js";
import { type RecallContext, toQuestion } from "../../recall/recall-question.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { StoreContext } from "../project/place.js";
import { taskNotFound } from "../task-not-found.js";
import { candidateSources, type RecallSources } from "./candidate-sources.js";
import { orOnlyReadable } from "./readable-learnings.js";
import type { Recall, RecallInput } from "./recall-input.js";

/** The records most relevant to an objective, as a brief within its budget. */
export async function recall(sources: RecallSources, input: RecallInput): Promise<Recall> {
  const { settings, shelves } = sources;
  const task = await findTask(shelves, input.taskId);
  const question = toQuestion(contextOf(input, task), sources.clock());
  if (task === undefined && input.memory !== undefined) await checkWindow(input.memory, settings);
  const share = settings["recall.holdout"];
  const deciding = task === undefined ? isControl(input.nextTask, share) : isHeldOut(shelves, task, share);
  deciding.catch(() => undefined);
  const limits = limitsOf(input, settings);
  const altered: string[] = [];
  const stores = shelves.map(({ store }) => store);
  const onAltered = (ids: readonly string[]) => altered.push(...ids);
  const readable = (await candidateSources(sources, input, task, onAltered)).map((source) =>
    source.kind === "learning" ? orOnlyReadable(source, stores, onAltered) : source,
  );
  const checked = await unlessImported(sources, task, readable);
  const [isHoldout, found] = await Promise.all([
    deciding,
    recallFrom(checked, question, limits, input.except),
  ]);
  const { records } = found;
  const brief = isHoldout ? await found.forControl() : found.brief;
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
    ...(input.isExplained && {
      omitted: found
        .omittedFrom(brief)
        .map(({ candidate, ...omission }) => ({ ...toEntry(candidate), ...omission })),
    }),
    ...(altered.length > 0 && { altered }),
    best: bestOfAll(brief.shown).map(toEntry),
    text: brief.text,
    records,
  };
}

async function unlessImported(
  { imported, shelves: [shelf] }: RecallSources,
  task: StoredTask | undefined,
  found: readonly CandidateSource[],
): Promise<readonly CandidateSource[]> {
  if (imported === undefined || shelf === undefined) return found;
  const { withoutImported } = await import("./without-imported.js");
  return found.map((source) => withoutImported(source, { store: shelf.store, task }, imported));
}

function toEntry({
  id,
  kind,
  section,
  statement,
  text,
  score,
  parts,
  why,
}: Candidate): Recall["entries"][number] {
  return { id, kind, section, statement, text, score, parts, why };
}

function limitsOf(input: RecallInput, settings: Settings): BriefLimits {
  return {
    budgetTokens: input.budgetTokens ?? settings["recall.budget"],
    sectionTokens: {
      notes: settings["memories.budget"],
      similar: settings["cross_task_learning.injection.max_tokens"],
      latest: settings["cross_task_learning.injection.max_tokens"],
    },
  };
}

async function findTask(
  shelves: readonly StoreContext[],
  taskId: string | undefined,
): Promise<StoredTask | undefined> {
  if (taskId === undefined) return undefined;
  const [shelf] = shelves;
  if (shelf === undefined) throw taskNotFound(taskId);
  return (await import("../../episodic/tasks/get-task.js")).getTask(shelf.store, taskId);
}

function contextOf(input: RecallInput, task: StoredTask | undefined): RecallContext {
  const objective = input.objective ?? task?.description ?? input.errors?.join("\n");
  if (typeof objective !== "string" || objective.trim() === "")
    throw new RalphError("wrong-use", "Recall needs an objective", {
      hint: 'such as "Fix the login test", a task or an error',
    });
  return { ...input, objective };
}

/** Without a task there are no reflections to select, but an invalid window is still an error. */
async function checkWindow(memory: NonNullable<RecallInput["memory"]>, settings: Settings): Promise<void> {
  const { capacityOf } = await import("../../episodic/window/window.js");
  const { windowOptions } = await import("../project/episodic-options.js");
  capacityOf(memory, {}, windowOptions(settings));
}

/** A task stays in the group it was assigned with its first brief, even if the setting changes. */
async function isHeldOut(
  [shelf]: readonly StoreContext[],
  { id, uuid }: StoredTask,
  share: number,
): Promise<boolean> {
  const assigned = await shelf?.store.credits.findHoldout(id);
  return assigned ?? isControl(() => uuid, share);
}

async function isControl(uuidOf: (() => string) | undefined, share: number): Promise<boolean> {
  if (uuidOf === undefined || share <= 0) return false;
  return (await import("../../recall/metrics/measure-impact.js")).isControlTask(uuidOf(), share);
}
