/** Why tests cannot pass with the records of every project on PostgreSQL, by file and name; `*` for all of a file. */
export const sqliteOnly: { because: string; tests: Record<string, readonly string[]> }[] = [];

export function reasonToSkip(path: string, name: string): string | undefined {
  return sqliteOnly.find(({ tests }) =>
    Object.entries(tests).some(
      ([file, names]) => path.endsWith(file) && (names.includes("*") || names.includes(name)),
    ),
  )?.because;
}
