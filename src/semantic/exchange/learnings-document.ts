import {
  isExtractedType,
  type Learning,
  type LearningStats,
  type LearningsDocument,
} from "../../domain/knowledge/learning.js";
import { checksumOf } from "../integrity/checksum.js";

/** A different major version is an incompatible format. */
export const documentVersion = "1.0.0";

/** The exchange document, and the number of learnings left out because other tools do not know their type. */
export function makeDocument(
  learnings: readonly Learning[],
  lastUpdated: string,
): { document: LearningsDocument; leftOut: number } {
  const known = learnings.filter(({ type }) => isExtractedType(type)).map(inPublishedOrder);
  return {
    document: {
      version: documentVersion,
      checksum: checksumOf(known),
      lastUpdated,
      learnings: known,
      stats: statsOf(known),
    },
    leftOut: learnings.length - known.length,
  };
}

/** Counts by type and task type. */
export function statsOf(learnings: readonly Learning[]): LearningStats {
  return {
    totalLearnings: learnings.length,
    byType: countBy(learnings, ({ type }) => type),
    byTaskType: countBy(learnings, ({ taskType }) => taskType),
  };
}

function countBy(
  learnings: readonly Learning[],
  keyOf: (learning: Learning) => string,
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const learning of learnings) counts.set(keyOf(learning), (counts.get(keyOf(learning)) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Published fields come first in their published order, because the checksum depends on it. */
function inPublishedOrder(learning: Learning): Learning {
  const { id, type, taskType, content, confidence, sourceLoops, ...others } = learning;
  const { createdAt, updatedAt, useCount, successRate, ...extra } = others;
  return {
    ...{ id, type, taskType, content, confidence, sourceLoops },
    ...{ createdAt, updatedAt, useCount, successRate },
    ...extra,
  };
}
