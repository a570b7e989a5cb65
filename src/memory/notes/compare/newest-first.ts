import { parseStatement } from "../../../semantic/replace/parsed-statement.js";
import { relationOfParsed } from "../../../semantic/replace/relation-to-older.js";
import { longestStatement, shareWords } from "../../../words/share-words.js";
import { compareStatements, sameStatement } from "../../../words/similarity.js";
import { wordsOf } from "../../../words/words.js";
import { isNewer } from "../reading/is-newer.js";

interface Dated {
  content: string;
  time: number;
  type?: string;
  key?: number;
}

/** Texts less similar than this are about different things. */
const leastSimilarity = 0.4;
/** The same by all their words, which is quicker to see. */
const leastShared = 0.5;

/** Keeps the order, except that a text among the first few moves before an older one that it supersedes. */
export function newestFirst<Item extends Dated>(found: readonly Item[], compared: number): Item[] {
  const head = found.slice(0, compared);
  const words = head.map(({ content }) => parsedOnce(content));
  const order = [...head.keys()];
  for (const [place, index] of [...order].entries()) {
    const older = order
      .slice(0, order.indexOf(index))
      .find((candidate) => replaces(head, words, index, candidate));
    if (older === undefined || place === 0) continue;
    order.splice(order.indexOf(index), 1);
    order.splice(order.indexOf(older), 0, index);
  }
  return [...order.flatMap((index) => head[index] ?? []), ...found.slice(compared)];
}

/** Parsing takes longest, and most texts share too few words with any other. */
function parsedOnce(content: string) {
  const isLong = content.length > longestStatement;
  const rough: ReadonlySet<string> = new Set(isLong ? [] : wordsOf(content));
  return { isLong, rough, statement: parseStatement(content) };
}

function replaces(
  items: readonly Dated[],
  words: readonly ReturnType<typeof parsedOnce>[],
  newer: number,
  older: number,
): boolean {
  const [after, before] = [items[newer], items[older]];
  const [one, other] = [words[newer], words[older]];
  if (after === undefined || before === undefined || one === undefined || other === undefined) return false;
  if (one.isLong || other.isLong || !isNewer(after, before)) return false;
  if (!shareWords(one.rough, other.rough, leastShared)) return false;
  const share = compareStatements(one.statement.words(), other.statement.words());
  if (share < leastSimilarity || share >= sameStatement) return false;
  return relationOfParsed(other.statement, one.statement) === "supersedes";
}
