import { lazily } from "../memoize.js";
import { skeletonOf } from "./look-alikes.js";

/** Letters that look alike are the same in both. */
const foldedNames = lazily(() => ({
  /** Names of the tags and special tokens that chat formats use for turns, tools and thoughts. */
  tags: new Set(
    [
      ...["system", "user", "assistant", "human", "developer", "invoke", "parameter", "think", "thinking"],
      ...["reminder", "prompt", "message", "instruction", "instructions"].map((what) => `system${what}`),
      ...["function", "tool"].flatMap((kind) =>
        ["call", "calls", "use", "result", "results", "response", "responses", "output"].map(
          (what) => kind + what,
        ),
      ),
      ..."imstart imend imsep startheaderid endheaderid startofturn endofturn eotid eomid".split(" "),
      ...["begin", "end"].flatMap((edge) => ["text", "sentence", "prompt"].map((what) => `${edge}of${what}`)),
      ...["inst", "sys", "bos", "eos", "systemprompt", "availabletools"],
    ].map(fold),
  ),
  bracketed: new Set(
    "inst sys system systemprompt toolcalls toolresults availabletools".split(" ").map(fold),
  ),
}));

/** Longer fillers between the letters of a tag make it unreadable as one. */
const longestTag = 200;

/** Whether the text after a bracket reads as the rest of a chat format's tag: `system>`, `/ tool_result >`, `|im_start|>`. */
export function looksLikeChatTag(text: string): boolean {
  const head = headOf(text.slice(0, longestTag));
  if (head === undefined) return false;
  if (specialToken.test(head) || head === "/s") return true;
  const name = nameOf(head);
  const { tags } = foldedNames();
  return tags.has(name) || tags.has(name.replace(/^l|l$/g, ""));
}

/** `<|any_name|>`; a pipe operator has a space after it. */
const specialToken = /^[|｜][^\s|｜][^|｜]*[|｜]$/;
const closer = /[>＞﹥≯›˃ᐳ❯]/;

/** What stands between the brackets, without attributes; undefined without a closing bracket. */
function headOf(text: string): string | undefined {
  const decoded = withoutEntities(text);
  const end = decoded.search(closer);
  if (end === -1) return undefined;
  const inside = decoded.slice(0, end).trim();
  const attributes = /\s[^\s=]*\s*=/.exec(inside);
  return attributes === null ? inside : inside.slice(0, attributes.index);
}

function withoutEntities(text: string): string {
  if (!/[&\\%]/.test(text)) return text;
  return text
    .replace(/&(?:amp;)*gt;?|\\u003e|\\x3e|%3e/gi, ">")
    .replace(/&(?:amp;)*#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi, (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 31 && code < 0x110000 ? String.fromCodePoint(code) : whole;
    });
}

function nameOf(text: string): string {
  return fold(skeletonOf(text).replace(/[|>]/g, "")).replace(/^antml/, "");
}

/** Letters and digits that look the same become the same. */
function fold(name: string): string {
  return name
    .replace(/[i1]/g, "l")
    .replaceAll("0", "o")
    .replaceAll("5", "s")
    .replaceAll("y", "u")
    .replaceAll("rn", "m");
}

/** Every way to write `<` so that something may decode it, and what follows. */
const encodedBracket = /(?:&(?:amp;)*(?:lt|#0*60|#x0*3c);?|\\u003c|\\x3c|%3c)+(?=([\s\S]{0,200}))/gi;
/** A tag in square brackets, such as `[INST]`; the character before tells an index from a tag. */
const squareBracket = /([\w)\]]?)[[［]([^[\]［］‹\n]{3,40})(?=[\]］])/g;

/** How the names in square brackets begin. */
const nameStarts = "in ln 1n sy su 5y 5u to t0 an av";

/** ASCII that begins like none of the names, as in `[mem-1700974700-0cb1]`: most brackets are around ids. */
function isPlainInside(inside: string): boolean {
  let start = "";
  for (let at = 0; at < inside.length; at += 1) {
    const code = inside.charCodeAt(at);
    if (code < 32 || code > 126) return false;
    if (start.length < 2 && isLetterOrDigit(code)) start += inside.charAt(at);
  }
  return start.length < 2 || !nameStarts.includes(start.toLowerCase());
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** Takes the opening bracket from tags that are written with entities, escapes or square brackets. */
export function withoutEncodedTags(text: string, isTag: (rest: string) => boolean): string {
  const plain = /[&\\%]/.test(text)
    ? text.replace(encodedBracket, (whole, rest: string) => (isTag(rest) ? "‹" : whole))
    : text;
  return plain.replace(squareBracket, (whole, before: string, inside: string) => {
    if ((before !== "" && /^[a-z]+$/.test(inside)) || isPlainInside(inside)) return whole;
    return foldedNames().bracketed.has(nameOf(inside)) ? `${before}‹${inside}` : whole;
  });
}

/** Whether a line's text up to its colon names a speaker of a chat. */
export function isSpeaker(text: string): boolean {
  return /^(?:human|asslstant)$/.test(nameOf(text));
}
