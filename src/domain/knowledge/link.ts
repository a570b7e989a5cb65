/** How one record relates to another. */
export const linkRelations = [
  "derived_from",
  "related_to",
  "contradicts",
  "elaborates",
  "example_of",
  "supersedes",
  "superseded_by",
] as const;

export type LinkRelation = (typeof linkRelations)[number];

/** A typed relation between two records: notes, learnings, skills, tasks or attempts. */
export interface Link {
  from: string;
  to: string;
  relation: LinkRelation;
}

/** The inverse of a relation, if it has one. */
export const inverseRelations: Partial<Record<LinkRelation, LinkRelation>> = {
  related_to: "related_to",
  contradicts: "contradicts",
  supersedes: "superseded_by",
  superseded_by: "supersedes",
};

export function isLinkRelation(word: string): word is LinkRelation {
  return (linkRelations as readonly string[]).includes(word);
}
