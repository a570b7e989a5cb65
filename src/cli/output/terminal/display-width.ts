/** How many columns a text takes on a screen. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOf(character.codePointAt(0) ?? 0);
  return width;
}

/** A text cut to a number of columns, with `…` where something is missing. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const character of text) {
    width += widthOf(character.codePointAt(0) ?? 0);
    if (width > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}

type Range = readonly [first: number, last: number];

// Accents, joiners, variation selectors.
const invisible: readonly Range[] = [
  [0x300, 0x36f],
  [0x483, 0x489],
  [0x591, 0x5bd],
  [0x610, 0x61a],
  [0x64b, 0x65f],
  [0xe31, 0xe31],
  [0xe34, 0xe3a],
  [0xe47, 0xe4e],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2064],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0e],
  [0xfe20, 0xfe2f],
  [0xfeff, 0xfeff],
];

// East Asian scripts and emoji.
const wide: readonly Range[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x26a1, 0x26a1],
  [0x26bd, 0x26be],
  [0x26c4, 0x26c5],
  [0x26d4, 0x26d4],
  [0x26ea, 0x26ea],
  [0x2705, 0x2705],
  [0x2728, 0x2728],
  [0x274c, 0x274e],
  [0x2753, 0x2757],
  [0x2795, 0x2797],
  [0x2b50, 0x2b55],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7eb],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd],
];

/** Makes an emoji, two columns wide, of the character before it. */
const emojiMark = 0xfe0f;

function widthOf(code: number): number {
  if (code === emojiMark) return 1;
  if (code < 0x300) return 1;
  if (isIn(invisible, code)) return 0;
  return isIn(wide, code) ? 2 : 1;
}

function isIn(ranges: readonly Range[], code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last);
}
