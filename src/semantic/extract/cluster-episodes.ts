import { type Bag, bagOf } from "../../words/compare/bag.js";
import { bagSimilarity } from "../../words/compare/similarity.js";
import type { Episode } from "./episode.js";

/** From here on two goals are about much the same. */
const alike = 0.5;
/** Long goals are recognised by how they begin. */
const comparedLength = 600;

/** Episodes with similar goals together; those of one task always are. */
export function clusterEpisodes(episodes: readonly Episode[]): Episode[][] {
  const clusters: { bag: Bag; episodes: Episode[] }[] = [];
  const byTask = new Map<string, { bag: Bag; episodes: Episode[] }>();
  for (const episode of episodes) {
    let cluster = byTask.get(episode.task_id);
    if (cluster === undefined) {
      const bag = bagOf(episode.goal.slice(0, comparedLength));
      cluster = clusters.find((candidate) => bagSimilarity(candidate.bag, bag) >= alike);
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
