/** Joins labels with newlines around each, so that LIKE matches whole labels. */
export function labelText(labels: readonly string[]): string {
  return `\n${labels.join("\n")}\n`.toLowerCase();
}

/** For `LIKE ? ESCAPE '\'` on a label text; ignores case. */
export function labelPattern(label: string): string {
  const escaped = label.toLowerCase().replaceAll("\\", "\\\\").replaceAll("%", "\\%").replaceAll("_", "\\_");
  return `%\n${escaped}\n%`;
}

/** `(column LIKE ? OR column LIKE ?)`: matches any of the labels. */
export function hasAnyLabel(column: string, labels: readonly string[]): string {
  return `(${labels.map(() => `${column} LIKE ? ESCAPE '\\'`).join(" OR ")})`;
}
