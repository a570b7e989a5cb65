// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const onlyAscii = /^[\u0000-\u007f]*$/;

/** Most texts are plain ASCII, and need nothing that is made for other scripts. */
export function isAscii(text: string): boolean {
  return onlyAscii.test(text);
}
