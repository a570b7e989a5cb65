import type { Mark } from "./mark.js";

const run = /[A-Za-z0-9+/_-]{20,}={0,2}/g;
const wrapped =
  /(?:^|(?<=[\s"'`:=]))[A-Za-z0-9+/]{60,80}(?:\r?\n[ \t]{0,20}[A-Za-z0-9+/]{1,80}){1,200}={0,2}(?![A-Za-z0-9+/])/g;
const percent = /[\w.~!*'()+:/?#@,;$&=-]*(?:%[0-9A-Fa-f]{2}[\w.~!*'()+:/?#@,;$&=-]*)+/g;
const escaped = /(?:\\u00[0-9a-f]{2}|\\x[0-9a-f]{2}){6,}/gi;
const maxRun = 64 * 1024;

/** Whether a text holds a secret, so that its encoded form does. */
export type HoldsSecret = (text: string) => boolean;

/** Base64, hexadecimal and percent-encoded text that holds a secret. */
export function redactEncoded(text: string, mark: Mark, holdsSecret: HoldsSecret): string {
  const replaceIf = (encoded: string, decoded: string | undefined): string =>
    decoded !== undefined && holdsSecret(decoded) ? mark("encoded-secret", encoded) : encoded;
  let safe = redactRuns(text, replaceIf);
  if (safe.includes("%")) safe = safe.replace(percent, (word) => replaceIf(word, fromPercent(word)));
  if (safe.includes("\\")) safe = safe.replace(escaped, (word) => replaceIf(word, fromEscapes(word)));
  return safe;
}

function redactRuns(
  text: string,
  replaceIf: (encoded: string, decoded: string | undefined) => string,
): string {
  let safe = text;
  if (/^[ \t]{0,20}[A-Za-z0-9+/]{60,80}\r?$/m.test(safe))
    safe = safe.replace(wrapped, (block) => replaceIf(block, fromBase64(block.replace(/\s+/g, ""))));
  safe = safe.replace(run, (word) => replaceIf(word, fromHex(word) ?? fromBase64(word)));
  return safe;
}

function fromBase64(word: string): string | undefined {
  if (word.length > maxRun) return undefined;
  // A path or a name has no digits or capitals where Base64 has them.
  if (!/[A-Z]/.test(word) || !/[a-z]/.test(word)) return undefined;
  // Most words are no Base64 of a text, which their first bytes tell.
  if (printable(Buffer.from(word.slice(0, 12), "base64")) === undefined) return undefined;
  return printable(Buffer.from(word, "base64"));
}

function fromHex(word: string): string | undefined {
  if (word.length > maxRun || word.length % 2 !== 0 || !/^[0-9a-fA-F]+$/.test(word)) return undefined;
  return printable(Buffer.from(word, "hex"));
}

function fromPercent(word: string): string | undefined {
  if (word.length > maxRun) return undefined;
  try {
    return decodeURIComponent(word);
  } catch {
    return undefined;
  }
}

function fromEscapes(word: string): string {
  return word.replace(/\\u00([0-9a-f]{2})|\\x([0-9a-f]{2})/gi, (_escape, unicode?: string, byte?: string) =>
    String.fromCharCode(Number.parseInt(unicode ?? byte ?? "20", 16)),
  );
}

/** Decoded bytes that are text. */
function printable(bytes: Buffer): string | undefined {
  if (bytes.length < 8) return undefined;
  for (const byte of bytes)
    if (byte > 126 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) return undefined;
  return bytes.toString("latin1");
}
