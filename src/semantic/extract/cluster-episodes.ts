import { compareStatements } from "../../words/compare/similarity.js";
import { type StatementWords, statementWords } from "../../words/compare/statement-words.js";
import type { Episode } from "./episode.js";

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
