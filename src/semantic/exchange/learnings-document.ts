import {
  isExtractedType,
  type Learning,
  type LearningStats,
  type LearningsDocument,
} from "../../domain/knowledge/learning.js";
import { checksumOf } from "../records/checksum.js";

/** The version of the exchange document; another first number means another format. */
export const documentVersion = "1.0.0";

/** The document that other tools read, and how many learnings are of types that they do not know and stay out of it. */
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

/** The fields in the order in which they are published, because the checksum depends on it; others follow as they come. */
function inPublishedOrder(learning: Learning): Learning {
  const { id, type, taskType, content, confidence, sourceLoops, ...others } = learning;
  const { createdAt, updatedAt, useCount, successRate, ...extra } = others;
  return {
    ...{ id, type, taskType, content, confidence, sourceLoops },
    ...{ createdAt, updatedAt, useCount, successRate },
    ...extra,
  };
}
