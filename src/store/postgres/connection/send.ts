import type { Client, QueryResult } from "pg";
import type { SqlValue } from "../../sql.js";
import { storable, translateStatement } from "./translate-statement.js";

/** Sends one statement about a project; unnamed, so that it works behind a pool of connections. */
export function send(
  client: Client,
  project: number,
  statement: string,
  values: readonly SqlValue[],
): Promise<QueryResult> {
  const { text, projectAt } = translateStatement(statement);
  const bound = values.map(storable);
  if (projectAt !== undefined) bound.push(project);
  return client.query(text, bound);
}
