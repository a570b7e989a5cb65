import type { ExtractedLearning } from "../../domain/knowledge/learning.js";
import { withoutFenced } from "../../text/fence/fence.js";
import { unique } from "../../text/unique.js";
import { compareStatements } from "../../words/similarity.js";
import { type StatementWords, statementWords } from "../../words/statement-words.js";
import { classifyTask } from "../classify-task.js";
import { maxConfidence, minRepeats } from "../learning-limits.js";
import { clipStatement, isVague } from "./statements.js";
import type { Episode } from "./task-record.js";

/** Minimum similarity of two goals in one cluster. */
const minSimilarity = 0.5;
/** Only the start of long goals is compared. */
const comparedLength = 600;

/** Groups episodes with similar goals; episodes of one task always share a cluster. */
export function clusterEpisodes(episodes: readonly Episode[]): Episode[][] {
  const clusters: { bag: StatementWords; episodes: Episode[] }[] = [];
  const byTask = new Map<string, { bag: StatementWords; episodes: Episode[] }>();
  for (const episode of episodes) {
    let cluster = byTask.get(episode.task_id);
    if (cluster === undefined) {
      const bag = statementWords(episode.goal.slice(0, comparedLength));
      cluster = clusters.find((candidate) => compareStatements(candidate.bag, bag) >= minSimilarity);
      if (cluster === undefined) {
        cluster = { bag, episodes: [] };
        clusters.push(cluster);
      }
      byTask.set(episode.task_id, cluster);
    }
    cluster.episodes.push(episode);
  }
  return clusters.map((cluster) => cluster.episodes);
}

/** Statements at least this similar count as the same lesson. */
const sameLesson = 0.75;
const minPatternConfidence = 0.8;

interface Lesson {
  statement: string;
  bag: StatementWords;
  episodes: Set<Episode>;
}

/** Lessons that at least two episodes of a cluster share, and most of those that state any. */
export function findPatterns(cluster: readonly Episode[]): ExtractedLearning[] {
  if (cluster.length < minRepeats) return [];
  const lessons = collectLessons(cluster);
  const withLessons = cluster.filter(({ statements }) => statements.length > 0).length;
  return lessons.flatMap((lesson) => {
    const confidence = confidenceOf(lesson.episodes.size, withLessons);
    if (lesson.episodes.size < minRepeats || confidence < minPatternConfidence) return [];
    return isWorthKeeping(lesson) ? [toLearning(lesson, confidence)] : [];
  });
}

/** Attempts of one task that fail alike repeat themselves; only another task confirms what they say. */
function isWorthKeeping({ statement, episodes }: Lesson): boolean {
  const members = [...episodes];
  if (members.some(({ succeeded }) => succeeded)) return true;
  return new Set(members.map((member) => member.task_id)).size >= minRepeats && !isVague(statement);
}

/** The share of episodes that state the lesson, discounted when they are few. */
function confidenceOf(supporting: number, total: number): number {
  return Math.min(maxConfidence.pattern, (supporting / total) * (1 - 0.4 / supporting));
}

function collectLessons(cluster: readonly Episode[]): Lesson[] {
  const lessons: Lesson[] = [];
  for (const episode of cluster) {
    for (const text of episode.statements) {
      const statement = clipStatement(withoutFenced(text));
      if (statement === undefined) continue;
      const bag = statementWords(statement);
      const known = lessons.find((lesson) => compareStatements(lesson.bag, bag) >= sameLesson);
      if (known === undefined) lessons.push({ statement, bag, episodes: new Set([episode]) });
      else known.episodes.add(episode);
    }
  }
  return lessons;
}

/** A lesson that only failed episodes state becomes an antipattern, never advice. */
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

const maxFiles = 20;

type EpisodeSources = Pick<ExtractedLearning, "sourceLoops" | "source_episodes" | "files" | "git_commit">;

/** The source fields of a learning drawn from these episodes. */
function episodeSources(episodes: readonly Episode[]): EpisodeSources {
  const commit = episodes.findLast(({ git_commit }) => git_commit !== undefined)?.git_commit;
  return {
    sourceLoops: unique(episodes.map(({ task_id }) => task_id)),
    source_episodes: episodes.map(({ id }) => id),
    files: unique(episodes.flatMap(({ files }) => files)).slice(0, maxFiles),
    ...(commit !== undefined && { git_commit: commit }),
  };
}
