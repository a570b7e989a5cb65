/** How learnings are told apart from other kinds of record in the search index. */
export const learningKind = "learning";
