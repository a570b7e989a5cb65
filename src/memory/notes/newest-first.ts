import { parseStatement } from "../../semantic/replace/parsed-statement.js";
import { relationOfParsed } from "../../semantic/replace/relation-to-older.js";
import { longestStatement, shareWords } from "../../words/share-words.js";
import { compareStatements, sameStatement } from "../../words/similarity.js";
import { wordsOf } from "../../words/words.js";

interface Dated {
  content: string;
  time: number;
  type?: string;
  key?: number;
}

/** Texts less similar than this are about different things. */
const leastSimilarity = 0.4;
/** The same by all their words, which is quicker to compute. */
const leastShared = 0.5;

/** Keeps the order, except that a text among the first few moves before an older one that it supersedes. */
export function newestFirst<Item extends Dated>(found: readonly Item[], compared: number): Item[] {
  const head = found.slice(0, compared).map((item) => ({ item, ...wordsIn(item.content) }));
  const order = [...head];
  for (const [place, newer] of head.entries()) {
    const older = order.slice(0, order.indexOf(newer)).find((candidate) => supersedes(newer, candidate));
    if (older === undefined || place === 0) continue;
    order.splice(order.indexOf(newer), 1);
    order.splice(order.indexOf(older), 0, newer);
  }
  return [...order.map(({ item }) => item), ...found.slice(compared)];
}

type Candidate = ReturnType<typeof wordsIn> & { item: Dated };

function wordsIn(content: string) {
  const isLong = content.length > longestStatement;
  const words: ReadonlySet<string> = new Set(isLong ? [] : wordsOf(content));
  return { isLong, words };
}

function supersedes(newer: Candidate, older: Candidate): boolean {
  if (newer.isLong || older.isLong || !isNewer(newer.item, older.item)) return false;
  if (!shareWords(newer.words, older.words, leastShared)) return false;
  const [after, before] = [parseStatement(newer.item.content), parseStatement(older.item.content)];
  const share = compareStatements(after.words(), before.words());
  if (share < leastSimilarity || share >= sameStatement) return false;
  return relationOfParsed(before, after) === "supersedes";
}

/** Whether one note was written after another; within one second, only notes of one section have an order. */
function isNewer(one: Dated, other: Dated): boolean {
  if (one.time !== other.time) return one.time > other.time;
  return one.type === other.type && (one.key ?? 0) > (other.key ?? 0);
}
