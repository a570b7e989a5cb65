import type { StagedLearning } from "../../domain/knowledge/learning.js";
import { isObject } from "../../domain/shape.js";
import { numberOfTaskId, taskIdOf } from "../../domain/tasks/task.js";
import { handoffIdOf, numberOfHandoffId } from "../../domain/working.js";
import { restoreTask, updateTask } from "../../episodic/history/restore-tasks.js";
import { instructionIn } from "../../semantic/staging/validate-learning.js";
import type { Repositories } from "../../store/store.js";
import { fingerprint } from "../../text/fingerprint.js";
import { parseHandoff } from "../../working/handoff.js";
import { parseLedger } from "../../working/ledger.js";
import { placeSkill } from "../skills/stored-skills.js";
import { deletedHere, type EntryOf, type ImportResult, type ImportRun } from "./import-run.js";

/** Imports a task under its own number if that is free; if the task already exists here, the later version counts. */
export async function importTask(
  tx: Repositories,
  { report }: ImportRun,
  { record: { record: history, id }, known }: EntryOf<"task">,
): Promise<ImportResult> {
  const number = known?.recordId === undefined ? undefined : numberOfTaskId(known.recordId);
  const here =
    (number === undefined ? undefined : await tx.tasks.find(number)) ??
    (await tx.tasks.findByUuid(history.uuid));
  if (here === undefined) {
    const recordId = await restoreTask(tx, history);
    const own = numberOfTaskId(history.id);
    if (own === undefined || taskIdOf(own) === recordId) return { outcome: "added", recordId };
    report.renumbered.push({ from: id, to: recordId });
    return { outcome: "renumbered", recordId };
  }
  // The original was never imported: the task was exported from here.
  if (known === undefined && history.updated <= here.updated)
    return { outcome: "present", recordId: here.id };
  if (history.updated >= here.updated) {
    await updateTask(tx, here.number, history);
    return { outcome: "updated", recordId: here.id };
  }
  report.superseded.push({ id, record: here.id, kept: "ours" });
  return { outcome: "superseded", recordId: here.id, lost: history };
}

/** Staged learnings still wait here: a review in another project does not count. */
export async function importStaged(
  tx: Repositories,
  { record: { record }, known }: EntryOf<"staged">,
): Promise<ImportResult> {
  const here = await tx.stagedLearnings.find(record.id);
  if (here === undefined && known !== undefined)
    return { outcome: "present", recordId: known.recordId ?? record.id };
  const entry = awaiting(record);
  if (here === undefined) await tx.stagedLearnings.add(entry);
  else if (known === undefined || here.status !== "pending") return { outcome: "present", recordId: here.id };
  else await tx.stagedLearnings.save({ ...entry, id: here.id });
  return { outcome: here === undefined ? "added" : "updated", recordId: entry.id };
}

function awaiting({ validatedAt: _at, awaitsEvidence: _evidence, ...entry }: StagedLearning): StagedLearning {
  const learning = { ...entry.learning, origin: "import" as const };
  return { ...entry, learning, status: entry.status === "validated" ? "pending" : entry.status };
}

/** Of two ledgers of one agent, the one with the later checkpoint counts. */
export async function importLedger(
  tx: Repositories,
  { report }: ImportRun,
  { record: { record, id } }: EntryOf<"ledger">,
): Promise<ImportResult> {
  const ledger = parseLedger(record);
  const recordId = ledger.agent_id;
  const here = await tx.ledgers.find(recordId);
  const isLater =
    here === undefined || Date.parse(ledger.last_checkpoint) >= Date.parse(here.last_checkpoint);
  if (isLater) await tx.ledgers.save(ledger);
  if (here === undefined) return { outcome: "added", recordId };
  if (isLater && here.last_checkpoint === ledger.last_checkpoint) return { outcome: "updated", recordId };
  report.superseded.push({ id, record: recordId, kept: isLater ? "theirs" : "ours" });
  return { outcome: "superseded", recordId, lost: isLater ? here : ledger };
}

/** A handoff never changes; one whose number is taken gets the next free one. */
export async function importHandoff(
  tx: Repositories,
  { report }: ImportRun,
  { record: { record, id }, known }: EntryOf<"handoff">,
): Promise<ImportResult> {
  const handoff = parseHandoff(withNumber(record));
  if (known?.recordId !== undefined) return { outcome: "present", recordId: known.recordId };
  const own = isObject(record) ? numberOfHandoffId(String(record.id)) : undefined;
  const here = own === undefined ? undefined : await tx.handoffs.find(own);
  const isSame =
    here?.timestamp === handoff.timestamp &&
    here.from_agent === handoff.from_agent &&
    here.to_agent === handoff.to_agent;
  if (here !== undefined && isSame) return { outcome: "present", recordId: here.id };
  const { id: _given, ...fields } = handoff;
  const added = await tx.handoffs.add(fields, here === undefined ? own : undefined);
  if (own === undefined || added.id === handoffIdOf(own)) return { outcome: "added", recordId: added.id };
  report.renumbered.push({ from: id, to: added.id });
  return { outcome: "renumbered", recordId: added.id };
}

/** Other tools name their handoffs differently. */
export function withNumber(record: unknown): unknown {
  if (!isObject(record)) return record;
  const isNumbered = typeof record.id === "string" && numberOfHandoffId(record.id) !== undefined;
  return isNumbered ? record : { ...record, id: handoffIdOf(0) };
}

/** Installs a skill; one that reads like more than a procedure becomes a draft, for a person to install. */
export async function importSkill(
  { project, report, dryRun }: ImportRun,
  { record: { record, id }, known }: EntryOf<"skill">,
): Promise<ImportResult> {
  const instruction = instructionIn(record.text);
  const placed = await placeSkill(project, record, {
    isDraft: instruction !== undefined,
    writtenDigest: known?.digest,
    dryRun,
  });
  const own = { recordId: record.name, digest: fingerprint(record.text) };
  if (placed === "deleted") return deletedHere;
  if (placed === "kept") {
    report.superseded.push({ id, record: record.name, kept: "ours" });
    return { outcome: "superseded", recordId: record.name, digest: known?.digest, lost: record };
  }
  if (instruction === undefined || placed === "present") return { outcome: placed, ...own };
  const reason = `reads like an instruction to an agent: ${instruction}`;
  report.waiting.push({ id, staged: record.name, reason });
  return { outcome: "waiting", ...own };
}
