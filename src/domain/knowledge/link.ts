/** How one record stands to another. */
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

/** A typed relation from one record to another; ids are those of notes, learnings, skills, tasks and attempts. */
export interface Link {
  from: string;
  to: string;
  relation: LinkRelation;
}

/** The same relation seen from the other end, where it has a name of its own. */
export const oppositeRelations: Partial<Record<LinkRelation, LinkRelation>> = {
  related_to: "related_to",
  contradicts: "contradicts",
  supersedes: "superseded_by",
  superseded_by: "supersedes",
};

export function isLinkRelation(word: string): word is LinkRelation {
  return (linkRelations as readonly string[]).includes(word);
}
