import { memoize } from "../../text/memoize.js";
import { looseStem } from "../../words/stem.js";
import { isGenericWord, stopWords } from "../../words/word-lists.js";
import { similarTasks } from "../weights.js";
import { backgroundWeight } from "./terms.js";

const { frame: weights } = similarTasks;

/** The first line of an objective as a sequence of words, numbers and segments of paths. */
export type Frame = readonly string[];

const number = "#";
const parameter = "/:";

/** `Implement GET /api/users/:id endpoint` gives `implement`, `get`, `/api`, `/user`, `/:` and `endpoint`. */
export function frameOf(objective: string): Frame {
  const [line = ""] = objective.trim().split("\n", 1);
  return line.split(/\s+/).flatMap(partsOf).slice(0, weights.readWords);
}

function partsOf(token: string): string[] {
  const bare = token.replace(/^[("'`[]+|[)"'`\],.;:!?]+$/g, "");
  const word = bare.toLowerCase();
  if (bare === "" || stopWords.has(word)) return [];
  if (/^v?\d+(?:\.(?:\d+|x))*$/.test(word)) return [number];
  if (!/[/\\]/.test(bare)) return [looseStem(word)];
  const segments = word.split(/[/\\]+/).filter((segment) => segment !== "");
  return segments.map((segment) => (/^[:{<$]/.test(segment) ? parameter : `/${looseStem(segment)}`));
}

const weightOf = memoize((part) => {
  if (part === number) return weights.number;
  if (part === parameter) return weights.parameter;
  if (part.startsWith("/")) return Math.min(weights.mostOfSegment, backgroundWeight(part.slice(1)));
  return isGenericWord(part) ? weights.generic : Math.min(weights.mostOfWord, backgroundWeight(part));
});

/**
 * How much two objectives are the same sentence with something else in a slot, from 0 to 1: "Add GET /users" and "Add GET
 * /orders". Rare words in the store are no better here: members of a large family share their frequent words.
 */
export function frameSimilarity(one: Frame, other: Frame): number {
  // In a store of many tasks, none has one.
  if (one.length === 0 || other.length === 0) return 0;
  // Most have nothing in common, which is seen sooner than both are aligned.
  if (!one.some((part) => other.includes(part))) return 0;
  const { shared, slots, replaced } = align(one, other);
  if (shared === 0 || slots > weights.mostSlots) return 0;
  const share = shared / (shared + weights.slot * slots + weights.replaced * replaced);
  const head = one[0] === other[0] ? 1 : weights.otherHead;
  return share * head * Math.min(1, shared / weights.enough);
}

/** The heaviest common subsequence: its weight, the gaps in it, and the words in these beyond the first of each. */
function align(one: Frame, other: Frame): { shared: number; slots: number; replaced: number } {
  const width = other.length + 1;
  const best = new Float64Array((one.length + 1) * width);
  const at = (i: number, j: number) => best[i * width + j] as number;
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      const part = one[i] as string;
      const together = part === other[j] ? at(i + 1, j + 1) + weightOf(part) : 0;
      best[i * width + j] = Math.max(at(i + 1, j), at(i, j + 1), together);
    }
  }
  let [i, j, slots, replaced] = [0, 0, 0, 0];
  let gap: [number, number] = [0, 0];
  const close = () => {
    const length = Math.max(...gap);
    if (length > 0) slots += 1;
    replaced += Math.max(0, length - 1);
    gap = [0, 0];
  };
  while (i < one.length || j < other.length) {
    if (i < one.length && one[i] === other[j]) {
      close();
      i += 1;
      j += 1;
    } else if (j >= other.length || (i < one.length && at(i + 1, j) >= at(i, j + 1))) {
      gap[0] += 1;
      i += 1;
    } else {
      gap[1] += 1;
      j += 1;
    }
  }
  close();
  return { shared: at(0, 0), slots, replaced };
}
