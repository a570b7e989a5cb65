import { instructionIn } from "../../../semantic/staging/validate-learning.js";
import { fingerprint } from "../../../text/fingerprint.js";
import { placeSkill } from "../../skills/stored-skills.js";
import { deletedHere, type EntryOf, type Taken, type Taking } from "./taking.js";

/** Installs a skill; one that reads like more than a procedure becomes a draft, which a person installs. */
export async function takeSkill(
  { session, report, dryRun }: Taking,
  { record: { record, id }, known }: EntryOf<"skill">,
): Promise<Taken> {
  const instruction = instructionIn(record.text);
  const placed = await placeSkill(session, record, {
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
