import { isObject } from "../../../domain/shape.js";
import { handoffIdOf, numberOfHandoffId } from "../../../domain/working.js";
import type { Repositories } from "../../../store/store.js";
import { parseHandoff } from "../../../working/handoff.js";
import { parseLedger } from "../../../working/ledger.js";
import type { EntryOf, Taken, Taking } from "./taking.js";

/** Of two ledgers of one agent, the one of the later checkpoint counts. */
export async function takeLedger(
  tx: Repositories,
  { report }: Taking,
  { record: { record, id } }: EntryOf<"ledger">,
): Promise<Taken> {
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

/** A handoff is not changed once it is made; one whose number is taken gets the next free one. */
export async function takeHandoff(
  tx: Repositories,
  { report }: Taking,
  { record: { record, id }, known }: EntryOf<"handoff">,
): Promise<Taken> {
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

/** Other tools name their handoffs otherwise. */
export function withNumber(record: unknown): unknown {
  if (!isObject(record)) return record;
  const isNumbered = typeof record.id === "string" && numberOfHandoffId(record.id) !== undefined;
  return isNumbered ? record : { ...record, id: handoffIdOf(0) };
}
