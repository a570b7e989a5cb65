import type { ExtractedLearning } from "../../domain/knowledge/learning.js";
import { withoutFenced } from "../../text/fence/fence.js";
import { type Bag, bagOf } from "../../words/compare/bag.js";
import { bagSimilarity } from "../../words/compare/similarity.js";
import { maxConfidence } from "../learning-limits.js";
import { classifyTask } from "./classify-task.js";
import { clipStatement } from "./clip-statement.js";
import type { Episode } from "./episode.js";
import { episodeSources } from "./episode-sources.js";

/** Statements of two episodes that are at least so similar are taken for one. */
const sameLesson = 0.75;
const leastMembers = 2;
const leastConfidence = 0.8;

interface Lesson {
  statement: string;
  bag: Bag;
  episodes: Set<Episode>;
}

/** What at least two episodes of a cluster say alike, when enough of them do. */
export function findPatterns(cluster: readonly Episode[]): ExtractedLearning[] {
  if (cluster.length < leastMembers) return [];
  const lessons = collectLessons(cluster);
  const telling = cluster.filter(({ statements }) => statements.length > 0).length;
  return lessons.flatMap((lesson) => {
    const confidence = confidenceOf(lesson.episodes.size, telling);
    if (lesson.episodes.size < leastMembers || confidence < leastConfidence) return [];
    return [toLearning(lesson, confidence)];
  });
}

/** The share of the episodes that say it; a few are less certain than many. */
function confidenceOf(saying: number, telling: number): number {
  return Math.min(maxConfidence.pattern, (saying / telling) * (1 - 0.4 / saying));
}

function collectLessons(cluster: readonly Episode[]): Lesson[] {
  const lessons: Lesson[] = [];
  for (const episode of cluster) {
    for (const text of episode.statements) {
      const statement = clipStatement(withoutFenced(text));
      if (statement === undefined) continue;
      const bag = bagOf(statement);
      const known = lessons.find((lesson) => bagSimilarity(lesson.bag, bag) >= sameLesson);
      if (known === undefined) lessons.push({ statement, bag, episodes: new Set([episode]) });
      else known.episodes.add(episode);
    }
  }
  return lessons;
}

/** What only failures say is something to avoid; it never becomes advice. */
function toLearning({ statement, episodes }: Lesson, confidence: number): ExtractedLearning {
  const members = [...episodes];
  const [first] = members as [Episode, ...Episode[]];
  const successes = members.filter(({ succeeded }) => succeeded).length;
  const shared = {
    taskType: classifyTask(first.goal),
    ...episodeSources(members),
    conditions: [`Tasks like "${clipStatement(first.goal) ?? first.goal}"`],
  };
  return successes === 0
    ? {
        type: "antipattern",
        ...shared,
        content: { description: `Avoid: ${statement}`, occurrences: members.length, impact: "high" },
        confidence: Math.min(confidence, maxConfidence.antipattern),
        successRate: 0,
      }
    : {
        type: "pattern",
        ...shared,
        content: { description: statement },
        correct_approach: statement,
        confidence,
        successRate: successes / members.length,
      };
}
