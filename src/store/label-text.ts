/** Labels as one text in which each stands between line ends, so that a plain LIKE finds exactly one. */
export function labelText(labels: readonly string[]): string {
  return `\n${labels.join("\n")}\n`.toLowerCase();
}

/** For `LIKE ? ESCAPE '\'` on a label text; case does not count. */
export function labelPattern(label: string): string {
  return `%\n${label.toLowerCase().replace(/[\\%_]/g, "\\$&")}\n%`;
}

/** `(column LIKE ? OR column LIKE ?)`: one of the labels. */
export function hasAnyLabel(column: string, labels: readonly string[]): string {
  return `(${labels.map(() => `${column} LIKE ? ESCAPE '\\'`).join(" OR ")})`;
}
