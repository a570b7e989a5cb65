import { isAscii } from "../text/is-ascii.js";
import { silentWords } from "./word-lists.js";

/** How a text is split into words. */
interface Alphabet {
  /** An identifier, a path or a hyphenated word: parts joined by marks. */
  chunk: RegExp;
  part: RegExp;
  /** A piece of a compound such as `userStore` or `HTTPServer`. */
  piece: RegExp;
  compound: RegExp;
}

const ascii: Alphabet = {
  chunk: /[A-Za-z0-9]+(?:[_$@#./\\:+-]+[A-Za-z0-9]+)*/g,
  part: /[A-Za-z0-9]+/g,
  piece: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g,
  compound: /[a-z][A-Z]|[A-Z][A-Z][a-z]/,
};

let unicode: Alphabet | undefined;

/**
 * Built from strings on first use: most text is ASCII, and Node spends milliseconds compiling Unicode classes, even for
 * literals that are never used.
 */
function unicodeAlphabet(): Alphabet {
  const [any, upper, lower, digit, mark] = ["L", "Lu", "Ll", "N", "M"].map((name) => `\\p{${name}}`);
  const word = `[${any}${digit}${mark}]+`;
  unicode ??= {
    chunk: new RegExp(`${word}(?:[_$@#./\\\\:+\\-]+${word})*`, "gu"),
    part: new RegExp(word, "gu"),
    piece: new RegExp(
      `${upper}+(?!${lower})|${upper}?[${lower}${mark}]+|${digit}+|[^${upper}${lower}${digit}${mark}]+`,
      "gu",
    ),
    compound: new RegExp(`${lower}${upper}|${upper}${upper}${lower}`, "u"),
  };
  return unicode;
}

const maxWholeLength = 64;
const plainWord = /^[a-z]+$/;
/** Nothing to take apart either: `Fix`, `utf8`, `2024`, `HTTP`. */
const simpleWord = /^(?:[A-Z]?[a-z0-9]+|[A-Z0-9]+)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const asciiOrNot = /[\u0000-\u007f]+|[^\u0000-\u007f]+/g;
/**
 * The words of a text, as indexed and searched: `src/userStore.ts` gives `srcuserstorets`, `userstorets`, `src`,
 * `userstore`, `user`, `store` and `ts`, so that an identifier is found whole, in parts, and in another spelling.
 */
export function wordsOf(text: string): string[] {
  if (isAscii(text)) return wordsIn(text, ascii);
  return wordsIn(text.normalize("NFKC"), unicodeAlphabet());
}

/** The distinct words of a question, without stop words. */
export function questionWords(text: string): string[] {
  const words = [...new Set(wordsOf(text))];
  const specific = words.filter((word) => !silentWords.has(word));
  return (specific.length > 0 ? specific : words).filter((word) => word.length <= maxWholeLength);
}

function wordsIn(text: string, alphabet: Alphabet): string[] {
  const chunks = text.match(alphabet.chunk) ?? [];
  const words: string[] = [];
  // Every text passes here: no list for each word, and no iterator.
  for (let place = 0; place < chunks.length; place += 1) {
    const chunk = chunks[place] as string;
    if (plainWord.test(chunk)) words.push(chunk);
    else if (simpleWord.test(chunk)) words.push(chunk.toLowerCase());
    else for (const word of wordsOfChunk(chunk, alphabet)) words.push(word);
  }
  return words;
}

function wordsOfChunk(chunk: string, alphabet: Alphabet): string[] {
  const parts = chunk.match(alphabet.part) ?? [];
  const words = parts.flatMap((part) => wordsOfPart(part, alphabet));
  if (parts.length < 2) return words;
  const wholes = new Set(segmentsOf(chunk).map((segment) => squash(segment, alphabet)));
  return [
    ...[...wholes].filter((whole) => whole.length <= maxWholeLength && !words.includes(whole)),
    ...words,
  ];
}

/** An identifier or path, and the last segment of it. */
function segmentsOf(chunk: string): string[] {
  return [chunk, chunk.split(/[/\\]/).at(-1) ?? chunk];
}

function squash(text: string, { part }: Alphabet): string {
  return (text.match(part) ?? []).join("").toLowerCase();
}

/** How the compounds of a text are written there, by the words that they are found by: `outtxt` is `out.txt`. */
export function compoundsIn(text: string): Map<string, string> {
  const alphabet = isAscii(text) ? ascii : unicodeAlphabet();
  const found = new Map<string, string>();
  for (const chunk of text.normalize("NFKC").match(alphabet.chunk) ?? []) {
    if (plainWord.test(chunk)) continue;
    const parts = chunk.match(alphabet.part) ?? [];
    const compounds = parts.filter((part) => alphabet.compound.test(part));
    for (const written of [...(parts.length < 2 ? [] : segmentsOf(chunk)), ...compounds]) {
      const word = squash(written, alphabet);
      if (!found.has(word)) found.set(word, written);
    }
  }
  return found;
}

function wordsOfPart(part: string, { piece, compound }: Alphabet): string[] {
  if (isUnspaced(part)) {
    return (part.match(asciiOrNot) ?? []).flatMap(pairsOf);
  }
  const whole = part.toLowerCase();
  if (!compound.test(part)) return [whole];
  const pieces = (part.match(piece) ?? []).map((word) => word.toLowerCase());
  return [whole, ...pieces.filter((word) => word.length > 1)];
}

/** Thai, Chinese, Japanese and Korean do not separate all words by spaces. */
function isUnspaced(part: string): boolean {
  return /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]|[\ud840-\ud888]/.test(part);
}

/** Overlapping character pairs, used as words in scripts without spaces. */
function pairsOf(run: string): string[] {
  const characters = [...run];
  if (isAscii(run) || characters.length < 2) return [run.toLowerCase()];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Marks that join the parts of an identifier, a path or a version: `user_store`, `src/login.ts`, `3.12.1`. */
const marks = "_$@#./\\\\:+-";
const token = new RegExp(`[\\w${marks}]+`, "g");
const joint = new RegExp(`[^\\s${marks}][${marks}]+[^\\s${marks}]`);

const name =
  /[a-z][A-Z]|[A-Za-z]_+[A-Za-z]|[A-Za-z]-?\d|\d[A-Za-z]|\w[/\\]\w|\w\.[a-z]{1,4}$|\w::\w|^E[A-Z]{3,}$|^SIG[A-Z]{3,}$/;

/** Plain words and numbers, which most tokens are: this pattern is compiled sooner than the other one. */
const noName = /^(?:[A-Za-z]?[a-z]*|\d+)$/;

/** Enough: a long log repeats its names. */
const maxNames = 1000;

/** Whether a token is an identifier, a path or an error code, and not a plain word or a number. */
export function isName(text: string): boolean {
  return !noName.test(text) && name.test(text);
}

/** Whether a token has parts joined by marks. */
export function hasParts(text: string): boolean {
  return joint.test(text);
}

/** The names in a text, each as the single word that the index has for it. */
export function namesIn(text: string): string[] {
  const names = (text.match(token) ?? [])
    .map((each) => each.replace(/^\W+|\W+$/g, ""))
    .filter(isName)
    .slice(0, maxNames);
  return [...new Set(names.flatMap((each) => wordsOf(each)[0] ?? []))];
}
