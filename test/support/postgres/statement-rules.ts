/** Tables that are not about a project. */
const common = ["ralph_schema"];
const targets = /\b(?:FROM|JOIN|UPDATE|USING)\s+(?:ONLY\s+)?([a-z_]+)\b(?!\s*\()/gi;
const added = /\bINSERT INTO\s+([a-z_]+)(?:\s+AS\s+\w+)?\s*\(([^)]*)\)/gi;
const conditions = /\bproject\s*=\s*(?:\$\d+|\w+\.project)\b/gi;

/** The tables of a schema that a statement uses without saying whose rows it means. */
export function tablesWithoutProject(statement: string, tables: readonly string[]): string[] {
  const isProjects = (name: string) => tables.includes(name) && !common.includes(name);
  const inserts = [...statement.matchAll(added)].filter(([, name = ""]) => isProjects(name));
  const careless = inserts.filter(([, , columns = ""]) => !/\bproject\b/.test(columns));
  // DO UPDATE has no table of its own.
  const used = [...statement.replace(/\bFOR UPDATE\b|\bDO UPDATE\b/gi, "").matchAll(targets)]
    .map(([, name = ""]) => name)
    .filter(isProjects);
  const named = [...statement.matchAll(conditions)].length;
  return [...careless.map(([, name = ""]) => name), ...(used.length > named ? used : [])];
}
