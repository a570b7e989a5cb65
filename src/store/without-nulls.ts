/** Drops NULL columns: records omit unknown fields. */
export function withoutNulls<Row extends object>(row: Row): { [Key in keyof Row]: Exclude<Row[Key], null> } {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as never;
}
