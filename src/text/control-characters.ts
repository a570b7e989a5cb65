/** Characters that could move the cursor, change colours or reverse the text direction; not tab or newline. */
export const controlCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** What they are replaced with. */
export const replacementCharacter = "\u{fffd}";
