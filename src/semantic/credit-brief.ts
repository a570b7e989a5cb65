import type { Brief, BriefRecord, CreditReason } from "../domain/knowledge/brief.js";
import type { Learning } from "../domain/knowledge/learning.js";
import { statementOf } from "../domain/knowledge/statement.js";
import type { Repositories } from "../store/store.js";
import { similarity } from "../words/similarity.js";
import { creditWeights } from "./evidence.js";
import { saveFigures } from "./records/write-learning.js";

/** What a finished task reveals about the records that it was shown. */
export interface TaskEvidence {
  task_id: string;
  task_type: string;
  succeeded: boolean;
  /** Everything the agent wrote. */
  said: readonly string[];
  files: readonly string[];
  errors: readonly string[];
}

/** Records what a prompt contained; learnings that the task had not been shown before count as used. */
export async function recordBrief(
  tx: Repositories,
  brief: Omit<Brief, "created">,
  creating: string | Promise<string>,
): Promise<void> {
  const ids = brief.isHoldout ? [] : brief.records.map(({ id }) => id);
  const [known, rows, stored] = await Promise.all([
    brief.task_id === undefined ? [] : tx.credits.listShown(brief.task_id),
    tx.learnings.listByIds(ids),
    ids.length === 0 ? [] : tx.learnings.listRaw(ids),
  ]);
  const created = await creating;
  await tx.credits.recordBrief({ ...brief, created });
  const isKnown = new Set(known.map(({ id }) => id));
  const used = rows
    .filter(({ learning }) => !isKnown.has(learning.id))
    .map(({ learning }) => ({
      ...learning,
      useCount: learning.useCount + 1,
      last_used: created,
    }));
  await saveFigures(tx, used, stored);
}

/** What briefs showed to a task. */
export interface Shown {
  records: readonly BriefRecord[];
  learnings: ReadonlyMap<string, Learning>;
}

export async function readShown(
  { credits, learnings }: Pick<Repositories, "credits" | "learnings">,
  taskId: string,
): Promise<Shown> {
  const [records, rows] = await Promise.all([credits.listShown(taskId), learnings.listShown(taskId)]);
  return { records, learnings: new Map(rows.map(({ learning }) => [learning.id, learning])) };
}

/** Credits the outcome of a task to each record that it was shown, with full weight to those that it clearly used. */
export async function creditBrief(
  tx: Repositories,
  evidence: TaskEvidence,
  { records, learnings }: Shown,
  now: string,
): Promise<void> {
  const { task_id, task_type, succeeded } = evidence;
  await tx.credits.recordResult(task_id, task_type, succeeded);
  for (const record of records) {
    const reason = reasonFor(record, learnings.get(record.id), evidence);
    const weight = reason === "shown" ? creditWeights.shown : creditWeights.used;
    await tx.credits.record({
      record_id: record.id,
      task_id,
      task_type,
      weight,
      succeeded,
      reason,
      created: now,
    });
  }
}

function reasonFor(
  { id }: BriefRecord,
  learning: Learning | undefined,
  { said, files, errors }: TaskEvidence,
): CreditReason {
  if (said.some((text) => text.includes(id))) return "cited";
  if (learning === undefined) return "shown";
  if (touches(learning, files)) return "touched its files";
  return meets(learning, errors) ? "met its error" : "shown";
}

function touches({ files = [], content }: Learning, touched: readonly string[]): boolean {
  const own = [...files, ...(content.examples ?? [])];
  return own.some((path) => touched.some((file) => file === path || file.endsWith(`/${path}`)));
}

const sameError = 0.6;

function meets(learning: Learning, errors: readonly string[]): boolean {
  if (learning.type !== "antipattern") return false;
  const failing = learning.content.what_fails ?? statementOf(learning);
  return errors.some((error) => error.includes(failing) || similarity(error, failing) >= sameError);
}
