import type { ExtractedLearning } from "../../domain/knowledge/learning.js";
import { stageLearnings } from "../../semantic/staging/stage-learnings.js";
import { instructionIn } from "../../semantic/staging/validate-learning.js";
import type { Repositories } from "../../store/store.js";
import type { Entry, ImportResult, ImportRun } from "./import-run.js";
import { injectedTexts } from "./injected-texts.js";

/** High enough that a person's approval is final. */
const confidence = 0.7;

/**
 * Stages what reads like an instruction to an agent instead of importing it. Once a person has accepted it, the next import adds the
 * record; a note has already become a learning by then.
 */
export async function holdBack(
  tx: Repositories,
  run: ImportRun,
  entry: Entry,
): Promise<ImportResult | undefined> {
  const { record, known } = entry;
  const texts = injectedTexts(record);
  const instruction = instructionIn(texts);
  if (instruction === undefined) return undefined;
  const source = sourceOf(run.layout, entry);
  if (known?.recordId?.startsWith("stage-")) {
    const isAccepted = (await tx.learnings.listBySource(source)).length > 0;
    if (isAccepted && record.kind !== "note") return undefined;
  }
  const [staged] = await stageLearnings(tx.stagedLearnings, [findingOf(entry, texts, source)], run.now);
  const reason = `reads like an instruction to an agent: ${instruction}`;
  run.report.waiting.push({ id: record.id, staged: staged?.id ?? "", reason });
  return { outcome: "waiting", recordId: staged?.id };
}

/** Whether a record waited for a review and has since been accepted. */
export async function isAcceptedByNow(tx: Repositories, layout: string, entry: Entry): Promise<boolean> {
  const { record, known } = entry;
  if (record.kind === "note" || record.kind === "learning" || !known?.recordId?.startsWith("stage-"))
    return false;
  return (await tx.learnings.listBySource(sourceOf(layout, entry))).length > 0;
}

function sourceOf(layout: string, { record: { kind, id } }: Entry): string {
  return `${layout} ${kind} ${id}`;
}

function findingOf({ record }: Entry, texts: readonly string[], source: string): ExtractedLearning {
  const text = texts.join("\n");
  const isConvention = record.kind === "note" && ["pattern", "decision"].includes(record.record.type);
  return {
    ...(isConvention
      ? { type: "convention" as const, content: { pattern: text } }
      : { type: "fact" as const, content: { description: text } }),
    taskType: "general",
    confidence,
    successRate: 1,
    sourceLoops: [source],
    origin: "import",
  };
}
