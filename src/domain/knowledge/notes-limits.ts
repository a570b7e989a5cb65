const megabyte = 1024 * 1024;

/** What is read of a notes file at most: a repository may bring any. Far more than a person or an agent can use. */
export const notesLimits = {
  bytes: 16 * megabyte,
  notes: 50_000,
  /** Lines that may belong to a note: headings, quotes, comments, fences. Prose and empty lines do not count. */
  lines: 500_000,
  /** Tags of one note. */
  tags: 1000,
  /** What is wrong with the file, as it is told. */
  problems: 100,
};
