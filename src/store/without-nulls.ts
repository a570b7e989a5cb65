/** A row without the columns that hold nothing, as a record leaves out what it does not know. */
export function withoutNulls<Row extends object>(row: Row): { [Key in keyof Row]: Exclude<Row[Key], null> } {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as never;
}
