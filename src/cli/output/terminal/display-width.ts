import { eastAsianWidth } from "get-east-asian-width";

/** Number of terminal columns that a text takes. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return glyphsOf(text).reduce((width, { columns }) => width + columns, 0);
}

/** Cuts a text to a number of columns, ending in `…`. */
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

/** A grapheme cluster: a letter with its accents, or an emoji sequence. */
interface Glyph {
  text: string;
  columns: number;
}

/**
 * `Intl.Segmenter` takes half as long as Node to start, emoji patterns twice as long as Node.
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

const zeroWidthJoiner = 0x200d;
const emojiVariation = 0xfe0f;
const keycap = 0x20e3;

/** Width of the glyph with one more character, or undefined if that starts a new glyph. */
function columnsWith({ text, columns }: Glyph, before: number, code: number): number | undefined {
  if (code === emojiVariation || code === keycap) return 2;
  if (before === zeroWidthJoiner && (columns === 2 || eastAsianWidth(code) === 2)) return 2;
  if (isFlagLetter(code)) return isFlagLetter(before) && text.length === 2 ? 2 : undefined;
  if (columns === 2 && isSkinTone(code)) return columns;
  return isInvisible(code) || isHangulVowelOrFinal(code) ? columns : undefined;
}

/** Regional indicator: two of them make a flag. */
function isFlagLetter(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

function isSkinTone(code: number): boolean {
  return code >= 0x1f3fb && code <= 0x1f3ff;
}

/** A vowel or final consonant of a decomposed syllable. */
function isHangulVowelOrFinal(code: number): boolean {
  return (code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7fb);
}

let invisible: RegExp | undefined;

/** Combining marks, joiners and direction marks. */
function isInvisible(code: number): boolean {
  if (code < 0x300 || isWithoutMarks(code)) return false;
  // Built on first use: a literal with Unicode classes costs time even when it is never used.
  const classes = ["Mn", "Me", "Cf"].map((name) => `\\p{${name}}`).join("");
  invisible ??= new RegExp(`^[${classes}]$`, "u");
  return invisible.test(String.fromCodePoint(code));
}

/** Fast path for most non-ASCII text: punctuation, symbols, ideographs, Hangul and emoji. */
function isWithoutMarks(code: number): boolean {
  return (
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x2190 && code <= 0x2bff) ||
    (code >= 0x3400 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0x1f000 && code <= 0x1faff)
  );
}
