import { relationToOlder } from "../../../semantic/replace/relation-to-older.js";
import { compareStatements, sameStatement } from "../../../words/compare/similarity.js";
import { type StatementWords, statementWords } from "../../../words/compare/statement-words.js";
import { isNewer } from "../is-newer.js";

interface Dated {
  content: string;
  time: number;
  type?: string;
  key?: number;
}

/** Only the best are looked at: further down nobody reads, and looking takes time. */
const looked = 10;
/** A longer text says more than one thing; none of them replaces the whole. */
const maxLength = 600;
/** Texts that share less are not about the same thing. */
const aboutTheSame = 0.4;

/** Found texts in their order, except that one which plainly takes the place of an older one stands before it. */
export function newestFirst<Item extends Dated>(found: readonly Item[]): Item[] {
  const head = found.slice(0, looked);
  const bags = head.map(({ content }) => (content.length > maxLength ? undefined : statementWords(content)));
  const order = [...head.keys()];
  for (const [place, index] of [...order].entries()) {
    const older = order
      .slice(0, order.indexOf(index))
      .find((candidate) => replaces(head, bags, index, candidate));
    if (older === undefined || place === 0) continue;
    order.splice(order.indexOf(index), 1);
    order.splice(order.indexOf(older), 0, index);
  }
  return [...order.flatMap((index) => head[index] ?? []), ...found.slice(looked)];
}

function replaces(
  items: readonly Dated[],
  bags: readonly (StatementWords | undefined)[],
  newer: number,
  older: number,
): boolean {
  const [after, before] = [items[newer], items[older]];
  const [one, other] = [bags[newer], bags[older]];
  if (after === undefined || before === undefined || one === undefined || other === undefined) return false;
  if (!isNewer(after, before)) return false;
  const share = compareStatements(one, other);
  if (share < aboutTheSame || share >= sameStatement) return false;
  return relationToOlder(before.content, after.content) === "supersedes";
}
