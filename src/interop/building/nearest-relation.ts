import { isLinkRelation, type LinkRelation } from "../../domain/knowledge/link.js";

/** Words of other tools, by the relation of ours that comes nearest. */
const words: Partial<Record<LinkRelation, readonly string[]>> = {
  supersedes: ["replaces", "obsoletes", "deprecates", "overrides"],
  superseded_by: ["replaced_by", "succeeded_by", "obsoleted_by"],
  contradicts: ["conflicts_with", "disagrees_with", "opposes", "contrasts_with"],
  derived_from: [
    ...["derives_from", "derives", "based_on", "discovered_from", "caused_by", "originates_from"],
    ...["learned_from", "spawned_by", "inspired_by", "results_from"],
  ],
  example_of: ["instance_of", "is_a", "type_of"],
  elaborates: [
    ...["extends", "part_of", "refines", "implements", "parent_child", "child_of", "belongs_to"],
    ...["details", "describes", "documents", "explains"],
  ],
};

const relations = new Map(
  Object.entries(words).flatMap(([relation, alike]) =>
    alike.map((word): [string, LinkRelation] => [word, relation as LinkRelation]),
  ),
);

/** The relation of ours for a word of another tool, whichever way it is written: `part of`, `part-of`, `PART_OF`. */
export function nearestRelation(word: string): LinkRelation {
  const plain = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (isLinkRelation(plain)) return plain;
  return relations.get(plain) ?? "related_to";
}
