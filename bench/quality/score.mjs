/** Recall at 5 and 10, nDCG and reciprocal rank at 10 of one ranking. */
export function scoreRanking(ranking, relevant) {
  const isRelevant = (id) => relevant.includes(id);
  const recall = (depth) => ranking.slice(0, depth).filter(isRelevant).length / relevant.length;
  const gain = ranking
    .slice(0, 10)
    .reduce((sum, id, place) => sum + (isRelevant(id) ? 1 / Math.log2(place + 2) : 0), 0);
  const ideal = relevant.slice(0, 10).reduce((sum, _id, place) => sum + 1 / Math.log2(place + 2), 0);
  const first = ranking.slice(0, 10).findIndex(isRelevant);
  return { r5: recall(5), r10: recall(10), ndcg10: gain / ideal, mrr10: first === -1 ? 0 : 1 / (first + 1) };
}

/** The mean of each measure. */
export function summarise(scores) {
  const mean = (name) =>
    round(scores.reduce((sum, score) => sum + score[name], 0) / Math.max(1, scores.length));
  return { r5: mean("r5"), r10: mean("r10"), ndcg10: mean("ndcg10"), mrr10: mean("mrr10") };
}

export function percentile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

function round(value) {
  return Math.round(value * 1000) / 1000;
}
