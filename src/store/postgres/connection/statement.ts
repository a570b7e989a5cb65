import type { Client, QueryResult } from "pg";
import type { SqlValue } from "../../sql.js";
import { storableText } from "../../stored-text.js";

const parts = /'(?:[^']|'')*'|"[^"]*"|\?|:project\b/g;

/** Sends one statement about a project; unnamed, so that it works behind a pool of connections. */
export function send(
  client: Client,
  project: number,
  statement: string,
  values: readonly SqlValue[],
): Promise<QueryResult> {
  const { text, hasProject } = numberPlaceholders(statement);
  const bound = values.map(storable);
  return client.query(text, hasProject ? [...bound, project] : bound);
}

/** Numbers the placeholders as PostgreSQL wants them; the project comes last. */
function numberPlaceholders(statement: string): { text: string; hasProject: boolean } {
  let count = 0;
  const numbered = statement.replace(parts, (part) => {
    if (part !== "?") return part;
    count += 1;
    return `$${count}`;
  });
  const text = numbered.replace(parts, (part) => (part === ":project" ? `$${count + 1}` : part));
  return { text, hasProject: text !== numbered };
}

function storable(value: SqlValue): unknown {
  if (typeof value === "string") return storableText(value);
  if (value instanceof Uint8Array && !Buffer.isBuffer(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value;
}
