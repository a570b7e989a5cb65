/** Lower-case letters, perhaps with an apostrophe or one hyphen: a word of a sentence, no path, name or code. */
const plainWord = /^[a-z]+(?:['’-][a-z]+)?[,;:.!?]?$/;
/** Without a vowel it is a name such as `npm`. */
const vowel = /[aeiouy]/;

/** Upper-cases the first letter of a sentence, unless that would change a path, an identifier or code. */
export function capitalised(text: string): string {
  const [first = ""] = text.split(/\s/, 1);
  if (!plainWord.test(first) || !vowel.test(first)) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
