import { similarTasks as weights } from "../weights.js";
import { coveredShare, type TermPositions, type TermWeight, wordsOfPath } from "./terms.js";

/** How near two tasks are in the project. */
interface PartSimilarity {
  /** The cosine of the texts. */
  text: number;
  /** How much of a changed file's path the objective names; of unknown files, how much the first lines cover each other. */
  files: number;
  /** That file. */
  file?: string;
  /** Shared words, most specific first. */
  words: string[];
}

/** How likely an objective is about the same part of the project: its texts and its files. */
export function partSimilarity(
  objective: { positions: TermPositions; named: TermPositions; files: readonly string[] },
  task: { positions: TermPositions; files: readonly string[] },
  weightOf: TermWeight,
): PartSimilarity {
  const { cosine, words } = textSimilarity(objective.positions, task.positions, weightOf);
  if (task.files.length === 0) {
    const covered = mutualCoverage(objective.positions, task.positions, weightOf);
    return { text: cosine, files: weights.firstLinesForFiles * covered, words };
  }
  const { share, file } = bestFile(objective, task.files, weightOf);
  return { text: cosine, files: share, ...(file !== undefined && { file }), words };
}

function textSimilarity(
  one: TermPositions,
  other: TermPositions,
  weightOf: TermWeight,
): { cosine: number; words: string[] } {
  const weigh = (positions: TermPositions, word: string) => (positions.get(word) ?? 0) * weightOf(word);
  const lengthOf = (positions: TermPositions) =>
    Math.sqrt([...positions.keys()].reduce((sum, word) => sum + weigh(positions, word) ** 2, 0));
  const shared = [...one.keys()]
    .filter((word) => other.has(word))
    .map((word) => ({ word, product: weigh(one, word) * weigh(other, word) }));
  const product = shared.reduce((sum, each) => sum + each.product, 0);
  return {
    cosine: product === 0 ? 0 : product / (lengthOf(one) * lengthOf(other)),
    words: shared
      .filter(({ word }) => weightOf(word) >= weights.tellingFrom)
      .sort((a, b) => b.product - a.product)
      .slice(0, weights.shownWords)
      .map(({ word }) => word),
  };
}

/** How much the texts cover each other's first lines. */
function mutualCoverage(one: TermPositions, other: TermPositions, weightOf: TermWeight): number {
  return Math.sqrt(firstLineCoverage(one, other, weightOf) * firstLineCoverage(other, one, weightOf));
}

function firstLineCoverage(one: TermPositions, other: TermPositions, weightOf: TermWeight): number {
  const words = [...one].filter(([, weight]) => weight === weights.position.firstLine).map(([word]) => word);
  return coveredShare(words, other, weightOf);
}

/**
 * The changed file whose path the objective covers best, and the covered share. A frequent word alone names no file, and a
 * single word names it only in part: "README".
 */
function bestFile(
  objective: { named: TermPositions; files: readonly string[] },
  files: readonly string[],
  weightOf: TermWeight,
): { share: number; file?: string } {
  const given = files.find((file) => objective.files.includes(file));
  if (given !== undefined) return { share: 1, file: given };
  let best: { share: number; file?: string } = { share: 0 };
  for (const file of files.slice(0, weights.comparedFiles)) {
    const words = new Set(wordsOfPath(file));
    const named = [...words].filter((word) => objective.named.has(word));
    const weight = named.reduce(
      (sum, word) => sum + weightOf(word) * Math.sqrt(objective.named.get(word) ?? 0),
      0,
    );
    const most = named.length > 1 ? 1 : weights.oneWordNearness;
    const covered = Math.min(most, coveredShare(words, objective.named, weightOf));
    const share = covered * Math.min(1, weight / weights.leastNamed);
    if (share > best.share) best = { share, file };
  }
  return best;
}
