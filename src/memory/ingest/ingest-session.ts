import { queryHistory, type TaskHistory } from "../../episodic/history/query-history.js";
import { extractFromTask, type Finding } from "../../semantic/extract/extract-from-task.js";
import { settleFindings } from "../../semantic/staging/settle-findings.js";
import { inDryRun } from "../../store/in-dry-run.js";
import type { Repositories } from "../../store/store.js";
import type { Session } from "../../transcripts/session.js";
import { taskRecordOf } from "../learnings/lessons/task-record-of.js";
import type { Shelf } from "../places/shelf.js";
import type { ProjectSession } from "../project-session.js";
import { type TaskContext, taskContext } from "../task-session.js";
import { type RecordedTask, recordTask } from "./record-task.js";
import { tasksOfSession } from "./session-tasks.js";

export interface IngestOptions {
  /** Paths are recorded relative to this folder. */
  root: string;
  /** Learnings wait for a review, are promoted if valid, or none are drawn. */
  promotion: "review" | "auto" | "off";
}

export interface IngestedSession {
  /** New tasks, and known ones that the session went on with. */
  tasks: RecordedTask[];
  /** What the tasks taught: staged, promoted or waiting for another task. */
  findings: Finding[];
  recordMs: number;
  reflectMs: number;
}

/** Records a session and learns from it, in one transaction; nothing is added for what is known. */
export type IngestSession = (session: Session, options: IngestOptions) => Promise<IngestedSession>;

/** Runs `work` on the memory, or in a dry run on one that forgets. */
export function withIngesting<Result>(
  project: ProjectSession,
  { dryRun }: { dryRun: boolean },
  work: (ingest: IngestSession) => Promise<Result>,
): Promise<Result> {
  const inShelf = async (shelf: Shelf) => {
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
  const ingested: IngestedSession = { tasks: [], findings: [], recordMs: 0, reflectMs: 0 };
  for (const task of tasksOfSession(session)) {
    const start = performance.now();
    const recorded = await recordTask(tx, context, session, task, root);
    const isRecorded = performance.now();
    ingested.recordMs += isRecorded - start - (recorded?.reflectMs ?? 0);
    if (recorded === undefined) continue;
    ingested.reflectMs += recorded.reflectMs;
    ingested.tasks.push(recorded);
    if (promotion === "off") continue;
    ingested.findings.push(...(await learn(tx, context, recorded.task_id, promotion === "review")));
    ingested.reflectMs += performance.now() - isRecorded;
  }
  return ingested;
}

/** Prompts of a person are no iterations of a loop, and the person's pauses no work: they make no estimate. */
async function learn(
  tx: Repositories,
  context: TaskContext,
  taskId: string,
  isReviewed: boolean,
): Promise<Finding[]> {
  const history = await queryHistory({ store: tx }, taskId, { isFull: true });
  const findings = extractFromTask(taskRecordOf(asProved(history))).filter(
    ({ learning }) => learning.type !== "estimate",
  );
  await settleFindings(tx, context, findings, { isReviewed });
  return findings;
}

/** Nobody judged how a session ended, so its end resolves nothing: only what was seen to pass again counts as solved. */
function asProved(history: TaskHistory): TaskHistory {
  return {
    ...history,
    attempts: history.attempts.map((attempt) => {
      const { outcome } = attempt;
      return outcome === undefined ? attempt : { ...attempt, outcome: { ...outcome, status: "failure" } };
    }),
  };
}
