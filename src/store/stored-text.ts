import { RalphError } from "../domain/ralph-error.js";

/** Reads JSON that Ralph stored; if it cannot be read, something else changed it. An index can be rebuilt at once. */
export function parseStored(
  text: string,
  code: "store-damaged" | "index-damaged" = "store-damaged",
): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RalphError(code, "A stored record is damaged", {
      hint: 'run "ralph doctor --repair", which takes it from a backup',
      cause,
    });
  }
}

/** Far more than the actions of an attempt; a few bytes could be made to unpack to gigabytes. */
const maxOutputLength = 64 * 1024 * 1024;

export function packText(text: string): Uint8Array {
  return process.getBuiltinModule("node:zlib").deflateRawSync(text);
}

export function unpackText(bytes: Uint8Array): string {
  try {
    const { inflateRawSync } = process.getBuiltinModule("node:zlib");
    return inflateRawSync(bytes, { maxOutputLength }).toString("utf8");
  } catch (error) {
    throw new RalphError("store-damaged", "Packed actions in the database are damaged", {
      hint: 'run "ralph doctor --repair"; your Markdown files are not affected',
      cause: error,
    });
  }
}

/** Joins labels with newlines around each, so that LIKE matches whole labels. */
export function labelText(labels: readonly string[]): string {
  return `\n${labels.join("\n")}\n`.toLowerCase();
}

/** For `LIKE ? ESCAPE '\'` on a label text; ignores case. */
export function labelPattern(label: string): string {
  const escaped = label.toLowerCase().replaceAll("\\", "\\\\").replaceAll("%", "\\%").replaceAll("_", "\\_");
  return `%\n${escaped}\n%`;
}

/** `(column LIKE ? OR column LIKE ?)`: matches any of the labels. */
export function hasAnyLabel(column: string, labels: readonly string[]): string {
  return `(${labels.map(() => `${column} LIKE ? ESCAPE '\\'`).join(" OR ")})`;
}

/** What PostgreSQL can keep: it refuses the character NUL. */
export function storableText(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}
