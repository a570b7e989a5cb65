import { eastAsianWidth } from "get-east-asian-width";

/** How many columns a text takes on a screen. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return glyphsOf(text).reduce((width, { columns }) => width + columns, 0);
}

/** A text cut to a number of columns, with `…` where something is missing. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const glyph of glyphsOf(text)) {
    width += glyph.columns;
    if (width > columns - 1) break;
    kept += glyph.text;
  }
  return `${kept}…`;
}

export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}

/** What a reader sees as one character: a letter with its accents, an emoji with all that is joined to it. */
interface Glyph {
  text: string;
  columns: number;
}

/**
 * Not by `Intl.Segmenter`, nor by patterns for emoji: the first takes half as long as Node to start, the others twice as long
 * as Node.
 */
function glyphsOf(text: string): Glyph[] {
  const glyphs: Glyph[] = [];
  let before = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const last = glyphs.at(-1);
    const columns = last && columnsWith(last, before, code);
    if (last === undefined || columns === undefined)
      glyphs.push({ text: character, columns: isInvisible(code) ? 0 : eastAsianWidth(code) });
    else {
      last.text += character;
      last.columns = columns;
    }
    before = code;
  }
  return glyphs;
}

const joiner = 0x200d;
const emojiMark = 0xfe0f;
const keycapMark = 0x20e3;

/** How wide a glyph is with one more character, if that belongs to it. */
function columnsWith({ text, columns }: Glyph, before: number, code: number): number | undefined {
  if (code === emojiMark || code === keycapMark) return 2;
  if (before === joiner && (columns === 2 || eastAsianWidth(code) === 2)) return 2;
  if (isFlagLetter(code)) return isFlagLetter(before) && text.length === 2 ? 2 : undefined;
  if (columns === 2 && isSkinTone(code)) return columns;
  return isInvisible(code) || isMiddleOfHangul(code) ? columns : undefined;
}

/** Two of them are a flag. */
function isFlagLetter(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

function isSkinTone(code: number): boolean {
  return code >= 0x1f3fb && code <= 0x1f3ff;
}

/** A vowel or an end of a syllable that is written letter by letter. */
function isMiddleOfHangul(code: number): boolean {
  return (code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7fb);
}

let invisible: RegExp | undefined;

/** Marks upon other characters, joiners, directions. */
function isInvisible(code: number): boolean {
  if (code < 0x300 || isWithoutMarks(code)) return false;
  // Put together at run time: Node spends time on a literal with Unicode classes even when it is never used.
  const classes = ["Mn", "Me", "Cf"].map((name) => `\\p{${name}}`).join("");
  invisible ??= new RegExp(`^[${classes}]$`, "u");
  return invisible.test(String.fromCodePoint(code));
}

/** Punctuation, symbols, ideographs, Hangul and emoji, which is what most texts beyond ASCII need. */
function isWithoutMarks(code: number): boolean {
  return (
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x2190 && code <= 0x2bff) ||
    (code >= 0x3400 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0x1f000 && code <= 0x1faff)
  );
}
