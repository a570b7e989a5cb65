import { isAscii } from "../../../../text/is-ascii.js";
import { stem } from "../../../../words/stem.js";
import { foldLetter, kindOfLetter } from "./letters.js";

/** The words that FTS5 keeps of a text with the tokenizer `porter unicode61 remove_diacritics 2`, in order. */
export function tokensOf(text: string): string[] {
  return split(text).map((word) => shortened(stem(word)));
}

function split(text: string): string[] {
  return isAscii(text) ? (text.toLowerCase().match(/[a-z0-9]+/g) ?? []) : splitAnyScript(text);
}

function splitAnyScript(text: string): string[] {
  const words: string[] = [];
  let word = "";
  for (const character of text) {
    const kept = keptOf(character.codePointAt(0) ?? 0);
    if (kept === "accent") continue;
    if (kept !== "separator") word += kept;
    else if (word !== "") {
      words.push(word);
      word = "";
    }
  }
  if (word !== "") words.push(word);
  return words;
}

function keptOf(code: number): string {
  if (code < 0x80) {
    const character = String.fromCharCode(code);
    return /[A-Za-z0-9]/.test(character) ? character.toLowerCase() : "separator";
  }
  // Half of a surrogate pair is stored as a replacement character.
  if (code >= 0xd800 && code <= 0xdfff) return "separator";
  const kind = kindOfLetter(code);
  return kind === "letter" ? String.fromCodePoint(foldLetter(code)) : kind;
}

/** An entry of an index of PostgreSQL holds no more than 2.7 KB. */
const mostLetters = 256;

/** A word that fits into an index: of a longer one the beginning, and a sum of all. */
function shortened(word: string): string {
  if (word.length <= mostLetters) return word;
  let sum = 0;
  for (let at = 0; at < word.length; at += 1) sum = (Math.imul(sum, 31) + word.charCodeAt(at)) >>> 0;
  return `${word.slice(0, mostLetters).toWellFormed()}${sum.toString(36)}`;
}
