import type { Effectiveness } from "../../domain/tasks/reflection.js";
import type { StoredReflection } from "../../store/repositories/tasks/reflections.js";
import type { Repositories } from "../../store/store.js";
import { compareFailures } from "./compare-failures.js";
import type { WorkReport } from "./work-report.js";

/** Smaller rises in quality are ignored. */
const minRise = 0.05;

/** Rates reflections by the work that followed; a person's rating is kept. */
export async function rateReflections(
  tx: Repositories,
  reflections: readonly StoredReflection[],
  after: WorkReport,
): Promise<void> {
  const effectiveness = judge(after);
  for (const { key, rated_by: ratedBy } of reflections) {
    if (ratedBy !== "person") await tx.reflections.rate(key, effectiveness, "outcome");
  }
}

function judge({ outcome, quality, failures, previous }: WorkReport): Effectiveness {
  if (outcome === "success") return "helpful";
  if (quality !== undefined && previous?.quality !== undefined && quality - previous.quality >= minRise)
    return "helpful";
  const { kind } = compareFailures(failures, previous);
  if (kind === "progress" && failures.length > 0) return "helpful";
  return kind === "same" ? "unhelpful" : "neutral";
}
