import { type Bag, bagOf } from "../../words/compare/bag.js";
import { bagSimilarity, sameStatement } from "../../words/compare/similarity.js";

/** Compares texts, each of which is read once. */
export function makeSameness(): (one: string, other: string) => boolean {
  const bags = new Map<string, Bag>();
  const read = (text: string): Bag => {
    const bag = bags.get(text) ?? bagOf(text);
    bags.set(text, bag);
    return bag;
  };
  return (one, other) => one === other || bagSimilarity(read(one), read(other)) >= sameStatement;
}
