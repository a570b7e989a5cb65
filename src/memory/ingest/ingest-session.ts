import { listSessionTasks, queryHistory } from "../../episodic/history/query-history.js";
import { extractFromTask, type Finding } from "../../semantic/extract/extract-from-task.js";
import { settleFindings } from "../../semantic/staging/settle-findings.js";
import { inDryRun } from "../../store/in-dry-run.js";
import type { Repositories } from "../../store/store.js";
import type { Session } from "../../transcripts/session.js";
import { taskRecordOf } from "../learnings/lessons/task-record-of.js";
import type { OpenProject } from "../project/open-project.js";
import type { StoreContext } from "../project/place.js";
import { type TaskContext, taskContext } from "../project/task-context.js";
import { type RecordedTask, recordTask } from "./record-task.js";
import { type RecordedPart, tasksOfSession } from "./session-tasks.js";

export interface IngestOptions {
  /** Paths are recorded relative to this folder. */
  root: string;
  /** Learnings wait for a review, are promoted if valid, or are not extracted. */
  promotion: "review" | "auto" | "off";
}

export interface IngestedSession {
  /** New tasks, and known ones that the session continued. */
  tasks: RecordedTask[];
  /** The learnings of the tasks: staged, promoted, known or waiting for another task. */
  findings: Finding[];
  recordMs: number;
  reflectMs: number;
  /** Its hooks are still recording it. */
  isOpen: boolean;
}

/** Records a session and learns from it, in one transaction; adds nothing for known parts. */
export type IngestSession = (session: Session, options: IngestOptions) => Promise<IngestedSession>;

/** Runs `work` on the memory or, in a dry run, in a transaction that is rolled back. */
export function withIngesting<Result>(
  project: OpenProject,
  { dryRun }: { dryRun: boolean },
  work: (ingest: IngestSession) => Promise<Result>,
): Promise<Result> {
  const inShelf = async (shelf: StoreContext) => {
    const context = await taskContext(project, shelf);
    const { store } = context;
    return work((session, options) => {
      const ingest = (tx: Repositories) => ingestIn(tx, context, session, options);
      return dryRun ? inDryRun(store, ingest) : store.transaction(ingest);
    });
  };
  return project.redacting(() => (dryRun ? project.readOrEmpty(inShelf) : project.write(inShelf)));
}

async function ingestIn(
  tx: Repositories,
  context: TaskContext,
  session: Session,
  { root, promotion }: IngestOptions,
): Promise<IngestedSession> {
  const ingested: IngestedSession = { tasks: [], findings: [], recordMs: 0, reflectMs: 0, isOpen: false };
  const recorded = await findRecorded(tx, session);
  if (recorded === "open") return { ...ingested, isOpen: true };
  for (const task of tasksOfSession(session, recorded)) {
    const start = performance.now();
    const added = await recordTask(tx, context, session, task, root);
    const isAdded = performance.now();
    ingested.recordMs += isAdded - start - (added?.reflectMs ?? 0);
    if (added === undefined) continue;
    ingested.reflectMs += added.reflectMs;
    ingested.tasks.push(added);
    if (promotion === "off") continue;
    ingested.findings.push(...(await learn(tx, context, added.task_id, promotion === "review")));
    ingested.reflectMs += performance.now() - isAdded;
  }
  return ingested;
}

/** What is already recorded of a session: its hooks may have recorded it, and split it into tasks. */
async function findRecorded(
  tx: Repositories,
  { agent, id }: Session,
): Promise<RecordedPart | "open" | undefined> {
  const tasks = await listSessionTasks(tx, agent, id);
  const last = tasks.at(-1);
  if (last === undefined) return undefined;
  let until = last.created;
  for (const { number } of tasks)
    for (const { ended } of await tx.attempts.list(number)) {
      if (ended === undefined) return "open";
      if (ended > until) until = ended;
    }
  return { tasks: tasks.length, last, until };
}

async function learn(
  tx: Repositories,
  context: TaskContext,
  taskId: string,
  isReviewed: boolean,
): Promise<Finding[]> {
  const findings = extractFromTask(taskRecordOf(await queryHistory({ store: tx }, taskId, { isFull: true })));
  return (await settleFindings(tx, context, findings, { isReviewed })).accepted;
}
