import type { Client, QueryResult } from "pg";
import type { SqlValue } from "../../sql.js";
import { storable, translateStatement } from "./translate-statement.js";

/** Whose rows a statement is about: by the project's number, or by its key while the number is still asked for. */
export type ProjectOfStatement = number | { key: string };

/** Sends one statement about a project; unnamed, so that it works behind a pool of connections. */
export function send(
  client: Client,
  project: ProjectOfStatement,
  statement: string,
  values: readonly SqlValue[],
): Promise<QueryResult> {
  const { text, projectAt } = translateStatement(statement);
  const bound = values.map(storable);
  if (projectAt === undefined) return client.query(text, bound);
  if (typeof project === "number") return client.query(text, [...bound, project]);
  const byKey = `(SELECT project FROM projects WHERE key = $${projectAt})`;
  return client.query(
    text.replace(new RegExp(`\\$${projectAt}\\b`, "g"), () => byKey),
    [...bound, project.key],
  );
}
