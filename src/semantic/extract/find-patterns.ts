import type { ExtractedLearning } from "../../domain/knowledge/learning.js";
import { withoutFenced } from "../../text/fence/fence.js";
import { unique } from "../../text/unique.js";
import { type Bag, bagOf } from "../../words/compare/bag.js";
import { bagSimilarity } from "../../words/compare/similarity.js";
import { classifyTask } from "./classify-task.js";
import { clipStatement } from "./clip-statement.js";
import type { Episode } from "./episode.js";

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
  return Math.min(0.95, (saying / telling) * (1 - 0.4 / saying));
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
    sourceLoops: unique(members.map(({ task_id }) => task_id)),
    source_episodes: members.map(({ id }) => id),
    files: unique(members.flatMap(({ files }) => files)).slice(0, maxFiles),
    conditions: [`Tasks like "${clipStatement(first.goal) ?? first.goal}"`],
    ...lastCommit(members),
  };
  return successes === 0
    ? {
        type: "antipattern",
        ...shared,
        content: { description: `Avoid: ${statement}`, occurrences: members.length, impact: "high" },
        confidence: Math.min(confidence, maxAntipatternConfidence),
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

const maxFiles = 20;
const maxAntipatternConfidence = 0.8;

export function lastCommit(episodes: readonly Episode[]): { git_commit?: string } {
  const commit = episodes.findLast(({ git_commit }) => git_commit !== undefined)?.git_commit;
  return commit === undefined ? {} : { git_commit: commit };
}
