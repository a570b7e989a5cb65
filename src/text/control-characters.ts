/** What control characters are replaced with. */
const replacementCharacter = "\u{fffd}";

/**
 * Characters that could move the cursor, change colours, reverse the text direction or start a line that is not one; not tab
 * or newline. Tag characters are invisible letters, except in the flag that they belong to.
 */
const controlCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]|(?:\ud83c\udff4)?(?:\udb40[\udc00-\udc7f])+/g;
/** The same in UTF-8, read as Latin-1: a quick look at text that need not be decoded. */
const encodedControls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
  /[\u0000-\u0008\u000b-\u001f\u007f]|\u00c2[\u0080-\u009f]|\u00e2\u0080[\u00a8-\u00ae]|\u00e2\u0081[\u00a6-\u00a9]|\u00ef\u00bf[\u00b9-\u00bb]|\u00f3\u00a0[\u0080\u0081]/;
const flag = /^\ud83c\udff4(?:\udb40[\udc00-\udc7f]){3,8}$/;

/** Replaces control characters, which a terminal or a model would interpret. */
export function withoutControls(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(controlCharacters, (found) => (flag.test(found) ? found : replacementCharacter));
}

/** The same for text in UTF-8, which is returned as it is if it has none. */
export function withoutControlBytes(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encodedControls.test(buffer.toString("latin1"))
    ? Buffer.from(withoutControls(buffer.toString("utf8")))
    : bytes;
}
