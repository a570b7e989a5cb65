import type { Settings } from "../../config/default-settings.js";
import { isStoreAway, RalphError } from "../../domain/ralph-error.js";
import { capacityOf } from "../../episodic/reflections/reflection-window.js";
import { getTask } from "../../episodic/tasks/get-task.js";
import { type BriefLimits, bestOfAll } from "../../recall/brief.js";
import type { Candidate } from "../../recall/candidate.js";
import { isControlTask } from "../../recall/metrics/measure-impact.js";
import { recallFrom } from "../../recall/recall.js";
import { type RecallContext, toQuestion } from "../../recall/recall-question.js";
import { recordBrief } from "../../semantic/credit-brief.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { TrustRequest } from "../../trust/request.js";
import { windowOptions } from "../project/episodic-options.js";
import type { OpenProject } from "../project/open-project.js";
import type { StoreContext } from "../project/place.js";
import { taskNotFound } from "../task-not-found.js";
import { elsewhere } from "../team/task-place.js";
import { candidateSources } from "./candidate-sources.js";
import type { Recall, RecalledEntry, RecallInput } from "./recall-input.js";
import { readableOnly, withoutImported } from "./source-filters.js";

/** The records most relevant to an objective, as a brief within its budget. Records nothing. */
export async function recall(
  project: OpenProject,
  input: RecallInput,
  limits: Pick<BriefLimits, "maxCharacters"> = {},
): Promise<Recall> {
  const place = await elsewhere(project, input.taskId);
  if (place !== undefined) return recall(place.project, { ...input, taskId: place.taskId }, limits);
  const stores = await project.findStores();
  const settings = await project.settings();
  const recallIn = ([first, ...others]: readonly StoreContext[], asked: RecallInput): Promise<Recall> => {
    const scope = { project, settings, input: asked, maxCharacters: limits.maxCharacters };
    if (first === undefined) return recallFromStores({ ...scope, stores: [] });
    return project.repairing(first, (context) =>
      recallFromStores({ ...scope, stores: [context, ...others] }),
    );
  };
  try {
    return await recallIn(stores, input);
  } catch (error) {
    if (!isStoreAway(error) || input.objective === undefined) throw error;
    project.notify({ kind: "store-away", message: error.message, isKept: false });
    const local = stores.map((context) => ({ ...context, store: context.store.onThisMachine() }));
    return recallIn(local, { ...input, taskId: undefined });
  }
}

/** Recalls, and records what the task was shown. */
export async function recallForTask(project: OpenProject, input: RecallInput): Promise<Recall> {
  const recalled = await recall(project, input);
  const at = (await elsewhere(project, input.taskId))?.project ?? project;
  if (recalled.taskId !== undefined && input.isRecorded !== false)
    await at.write(({ store, clock }) =>
      store.transaction((tx) => recordRecall(tx, recalled, clock().toISOString())),
    );
  return recalled;
}

/** Records what a task was shown, to credit its outcome; for a control task, what it would have been shown. */
export async function recordRecall(
  tx: Repositories,
  { taskId, isHoldout, isMeasured, records }: Pick<Recall, "taskId" | "isHoldout" | "isMeasured" | "records">,
  now: string,
): Promise<void> {
  if (taskId === undefined || (records.length === 0 && !isMeasured)) return;
  await recordBrief(tx, { task_id: taskId, isHoldout, records }, now);
}

interface Scope {
  project: OpenProject;
  /** The project's store and the user's, if they exist. */
  stores: readonly StoreContext[];
  settings: Settings;
  input: RecallInput;
  maxCharacters: number | undefined;
}

async function recallFromStores(scope: Scope): Promise<Recall> {
  const { project, stores, settings, input } = scope;
  const [first] = stores;
  const task = await findTask(first, input.taskId);
  const question = toQuestion(contextOf(input, task), project.clock());
  // Without a task there are no reflections to select, but an invalid window is still an error.
  if (task === undefined && input.memory !== undefined) capacityOf(input.memory, {}, windowOptions(settings));
  const share = settings["recall.holdout"];
  const isHoldout = await isHeldOut(first, task, { share, nextTask: input.nextTask });
  const limits = limitsOf(scope);
  const altered: string[] = [];
  const onAltered = (ids: readonly string[]) => void altered.push(...ids);
  const repositories = stores.map(({ store }) => store);
  const leftOut = new Map<string, TrustRequest>();
  const imported = importedOf(project, leftOut);
  const sources = (await candidateSources({ ...scope, task, onAltered })).map((source) => {
    const readable = source.kind === "learning" ? readableOnly(source, repositories, onAltered) : source;
    return imported === undefined || first === undefined
      ? readable
      : withoutImported(readable, { store: first.store, task }, imported);
  });
  const found = await recallFrom(sources, question, limits, input.except);
  project.trust.report([...leftOut.values()]);
  const brief = isHoldout ? found.forControl() : found.brief;
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
    records: found.records,
  };
}

/** Undefined if no dump brought anything that reads like an instruction. */
function importedOf({ trust }: OpenProject, leftOut: Map<string, TrustRequest>) {
  const keys = trust.isAllAllowed ? new Set<string>() : trust.importedTexts();
  if (keys.size === 0) return undefined;
  const onLeftOut = (request: TrustRequest) => void leftOut.set(request.name, request);
  return { keys, isAllowed: trust.openAllowed(), onLeftOut };
}

function toEntry({ id, kind, section, statement, text, score, parts, why }: Candidate): RecalledEntry {
  return { id, kind, section, statement, text, score, parts, why };
}

function limitsOf({ input, settings, maxCharacters }: Scope): BriefLimits {
  return {
    budgetTokens: input.budgetTokens ?? settings["recall.budget"],
    maxCharacters,
    sectionTokens: {
      notes: settings["memories.budget"],
      similar: settings["cross_task_learning.injection.max_tokens"],
      latest: settings["cross_task_learning.injection.max_tokens"],
    },
  };
}

async function findTask(
  context: StoreContext | undefined,
  taskId: string | undefined,
): Promise<StoredTask | undefined> {
  if (taskId === undefined) return undefined;
  if (context === undefined) throw taskNotFound(taskId);
  return getTask(context.store, taskId);
}

function contextOf(input: RecallInput, task: StoredTask | undefined): RecallContext {
  const objective = input.objective ?? task?.description ?? input.errors?.join("\n");
  if (typeof objective !== "string" || objective.trim() === "")
    throw new RalphError("wrong-use", "Recall needs an objective", {
      hint: 'such as "Fix the login test", a task or an error',
    });
  return { ...input, objective };
}

/** Whether the task is in the control group. It stays in the group of its first brief, even if the setting changes. */
async function isHeldOut(
  context: StoreContext | undefined,
  task: StoredTask | undefined,
  { share, nextTask }: { share: number; nextTask: RecallInput["nextTask"] },
): Promise<boolean> {
  const assigned = task && (await context?.store.credits.findHoldout(task.id));
  if (assigned !== undefined) return assigned;
  const uuid = task?.uuid ?? (share > 0 ? nextTask?.() : undefined);
  return share > 0 && uuid !== undefined && isControlTask(uuid, share);
}
