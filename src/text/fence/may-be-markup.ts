import { lazily } from "../memoize.js";

// Both cases are spelled out: to ignore case, the ranges of all scripts would have to be folded, which takes a millisecond.
/** What may be read as an `h` or an `a`, with which speakers begin; the other scripts are wherever Unicode has such letters. */
const speakerStart = String.raw`[hHaA\u00aa-\u167f\u1681-\u1fff\u2090-\u218f\u237a\u249c-\u24ff\u2c60-\u2dff\u32cc-\u33ff\ua000-\ud83c\uff00-\uffef]`;
/** What may stand before and between the letters of a name in square brackets. */
const filler = String.raw`[^a-zA-Z0-9\n[\]]{0,40}`;

/** Without one of these there is no tag; a look for them is compiled in a tenth of the time. */
const tagMarks = /[<＜﹤≮˂ᐸ❮ᚲ&\\%[\uff3b]/;
const tag = lazily(
  () =>
    new RegExp(
      [
        // The metadata of a note is none.
        "<(?!!-- tags: )|[＜﹤≮˂ᐸ❮ᚲ]",
        String.raw`&(?:[aA][mM][pP];)*(?:[lL][tT]|#)|\\[uUxX]0*3[cC]|%3[cC]`,
        // Digits that look like letters count as such, and so does `u` as `y`: inst, sys, tool, available, antml.
        `[[\uff3b]${filler}(?:[iIlL1]${filler}[nN]|[sS5]${filler}[yYuU]|[tT]${filler}[oO0]|[aA]${filler}[vVnN])`,
        String.raw`[[\uff3b][^[\]\n]{0,40}[^\u0000-\u007f]`,
      ].join("|"),
    ),
);
const colon = /[:\uff1a]/;
const speaker = lazily(
  () =>
    new RegExp(String.raw`^[^a-zA-Z\n\r\u2028\u2029]*${speakerStart}[^\n:\uff1a]{3,30}[*_\s]*[:\uff1a]`, "m"),
);

/**
 * Whether `defuseChatMarkup` may change a text: a quick look, which every command takes without loading what defuses, and
 * which must miss nothing that is changed there.
 */
export function mayBeChatMarkup(text: string): boolean {
  return (tagMarks.test(text) && tag().test(text)) || (colon.test(text) && speaker().test(text));
}
