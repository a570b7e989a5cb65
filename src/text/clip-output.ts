import { redact } from "./redact.js";

const maxLength = 64 * 1024;
const headLength = 40 * 1024;
const tailLength = 20 * 1024;

/** What a tool printed, as it is kept: without secrets, text only, and of a long output its beginning and its end. */
export function clipOutput(output: string): string {
  if (output.includes("\0")) return `[binary output, ${Buffer.byteLength(output)} bytes]`;
  const text = output.toWellFormed();
  if (text.length <= maxLength) return redact(text).text;
  const left = text.length - headLength - tailLength;
  const head = redact(text.slice(0, headLength)).text;
  const tail = redact(text.slice(-tailLength)).text;
  return `${head}\n[… ${left} of ${text.length} characters left out …]\n${tail}`;
}
