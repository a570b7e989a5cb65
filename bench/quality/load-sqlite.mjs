/** Node's own SQLite where it is stable, else the package that the product uses. */
export async function loadSqlite() {
  const isBuiltIn = Number.parseInt(process.versions.node, 10) >= 24;
  return (await import(isBuiltIn ? "node:sqlite" : "@photostructure/sqlite")).DatabaseSync;
}
