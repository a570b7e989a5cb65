import type { SqlValue } from "../../sql.js";
import { storableText } from "../../storable-text.js";

export interface TranslatedStatement {
  text: string;
  /** Where the project's key goes, from 1; undefined if the statement does not name it. */
  projectAt: number | undefined;
}

const parts = /'(?:[^']|'')*'|"[^"]*"|\?|:project\b/g;
const known = new Map<string, TranslatedStatement>();

/** Numbers the placeholders as PostgreSQL wants them. Kept, because there are few statements, each of which is run often. */
export function translateStatement(statement: string): TranslatedStatement {
  const translated = known.get(statement) ?? translate(statement);
  known.set(statement, translated);
  return translated;
}

function translate(statement: string): TranslatedStatement {
  let count = 0;
  const text = statement.replace(parts, (part) => {
    if (part === ":project") return "$:project";
    if (part !== "?") return part;
    count += 1;
    return `$${count}`;
  });
  if (!text.includes("$:project")) return { text, projectAt: undefined };
  return { text: text.replaceAll("$:project", `$${count + 1}`), projectAt: count + 1 };
}

/** A value as PostgreSQL takes it. */
export function storable(value: SqlValue): unknown {
  if (typeof value === "string") return storableText(value);
  if (value instanceof Uint8Array && !Buffer.isBuffer(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value;
}
