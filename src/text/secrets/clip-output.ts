import { withoutTerminalCodes } from "../output-lines.js";
import { redact } from "./redact.js";

const maxLength = 64 * 1024;
const headLength = 40 * 1024;
const tailLength = 20 * 1024;
/** A secret may span the cut; private keys are the longest. */
const margin = 8 * 1024;

/** Tool output as it is stored: redacted, text only, and only both ends if it is long. */
export function clipOutput(output: string): string {
  if (output.includes("\0")) return `[binary output, ${Buffer.byteLength(output)} bytes]`;
  // Colour codes may split a secret.
  const text = withoutTerminalCodes(output.toWellFormed());
  if (text.length <= maxLength) return redact(text).text;
  const omitted = text.length - headLength - tailLength;
  const head = redact(text.slice(0, headLength + margin)).text.slice(0, headLength);
  const tail = redact(text.slice(-tailLength - margin)).text.slice(-tailLength);
  return `${head}\n[… ${omitted} of ${text.length} characters left out …]\n${tail}`;
}

/** Clips long strings anywhere inside a value. */
export function clipDeep<Value>(value: Value): Value {
  if (typeof value === "string") return (value.length > maxLength ? clipOutput(value) : value) as Value;
  if (Array.isArray(value)) return value.map(clipDeep) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, clipDeep(field)])) as Value;
}
