/** How notes are told apart from other kinds of record in the search index. */
export const noteKind = "note";

export function typeLabel(type: string): string {
  return `type:${type}`;
}

export function tagLabel(tag: string): string {
  return `tag:${tag}`;
}
