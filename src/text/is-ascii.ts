// biome-ignore lint/suspicious/noControlCharactersInRegex: matches all of ASCII
const onlyAscii = /^[\u0000-\u007f]*$/;

/** Most texts are ASCII and can skip the work that other scripts need. */
export function isAscii(text: string): boolean {
  return onlyAscii.test(text);
}
