/** Drops NULL columns: records omit unknown fields. */
export function withoutNulls<Row extends object>(row: Row): { [Key in keyof Row]: Exclude<Row[Key], null> } {
  const known: Record<string, unknown> = {};
  for (const name in row) if (row[name] !== null) known[name] = row[name];
  return known as never;
}
