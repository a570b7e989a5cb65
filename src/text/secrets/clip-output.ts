import { withoutTerminalCodes } from "../output-lines.js";
import { redact } from "./redact.js";

const maxLength = 64 * 1024;
/** How much of the two ends of a long output is kept. */
const outputEnds = { head: 40 * 1024, tail: 20 * 1024, max: maxLength };
const checkEnds = { head: 6 * 1024, tail: 10 * 1024, max: 16 * 1024 };
/** Of the lines that matter between them, the last ones are kept, unless they are long. */
const keptLines = 3;
const keptLength = 400;
/** A message that was clipped is short enough not to be clipped again. */
const messageEnds = { head: 1500, tail: 2500, max: 4096 + keptLines * (keptLength + 1) };
/** A secret may span the cut; private keys are the longest. */
const margin = 8 * 1024;

/** Tool output as it is stored: redacted, text only, and only both ends if it is long. */
export function clipOutput(output: string): string {
  return clip(output, outputEnds);
}

/** What a check printed, as it is stored for each iteration: the end says most. */
export function clipCheck(output: string): string {
  return clip(output, checkEnds);
}

/** What an agent said, as it is stored: like output, but shorter; short lines that matter are kept, wherever they are. */
export function clipMessage(message: string, matters?: (line: string) => boolean): string {
  return clip(message.trim(), messageEnds, matters);
}

function clip(
  output: string,
  { head: headLength, tail: tailLength, max }: typeof outputEnds,
  matters: (line: string) => boolean = () => false,
): string {
  if (output.includes("\0")) return `[binary output, ${Buffer.byteLength(output)} bytes]`;
  // Colour codes may split a secret.
  const text = withoutTerminalCodes(output.toWellFormed());
  if (text.length <= max) return redact(text).text;
  const omitted = text.length - headLength - tailLength;
  // Redacting shortens a text, so that what was split at the far end of a margin may come within reach.
  const head = beforeCut(redact(text.slice(0, headLength + margin)).text).slice(0, headLength);
  const tail = afterCut(redact(text.slice(-tailLength - margin)).text).slice(-tailLength);
  const kept = linesBetween(text, headLength, text.length - tailLength)
    .filter((line) => line.length <= keptLength && matters(line))
    .slice(-keptLines)
    .map((line) => redact(line).text);
  return [head, `[… ${omitted} of ${text.length} characters left out …]`, ...kept, tail].join("\n");
}

/** The lines of a part of a text, from the one it begins in to the one it ends in. */
function linesBetween(text: string, start: number, end: number): string[] {
  const lineEnd = text.indexOf("\n", end);
  return text.slice(text.lastIndexOf("\n", start) + 1, lineEnd === -1 ? text.length : lineEnd).split("\n");
}

/** Clips long strings anywhere inside a value. */
export function clipDeep<Value>(value: Value): Value {
  if (typeof value === "string") return (value.length > maxLength ? clipOutput(value) : value) as Value;
  if (Array.isArray(value)) return value.map(clipDeep) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, clipDeep(field)])) as Value;
}

/** A cut may leave half a secret, or a secret without the name before it; how far to look for a better place. */
const maxLine = 2000;
const maxToken = 8 * 1024;
const tokenAtStart = new RegExp(`^[!-~]{1,${maxToken}}`);

/** The end of a text that was cut at its start, from its first whole line, or else its first whole word. */
export function afterCut(text: string): string {
  const line = text.indexOf("\n");
  if (line !== -1 && line < Math.min(maxLine, text.length / 2)) return text.slice(line + 1);
  return text.replace(tokenAtStart, "");
}

/** The start of a text that was cut at its end, up to its last whole line, or else its last whole word. */
export function beforeCut(text: string): string {
  const line = text.lastIndexOf("\n");
  if (line !== -1 && text.length - line < Math.min(maxLine, text.length / 2)) return text.slice(0, line);
  return withoutLastToken(text);
}

function withoutLastToken(text: string): string {
  let end = text.length;
  const least = Math.max(0, end - maxToken);
  while (end > least && isTokenCharacter(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function isTokenCharacter(code: number): boolean {
  return code > 32 && code < 127;
}

/** At most so many characters of a text's end, without what the cut splits. */
export function endOf(text: string, length: number): string {
  return text.length <= length ? text : afterCut(text.slice(-length));
}

/** At most so many characters of a text's start, without what the cut splits. */
export function startOf(text: string, length: number): string {
  return text.length <= length ? text : withoutLastToken(text.slice(0, length)).trimEnd();
}
