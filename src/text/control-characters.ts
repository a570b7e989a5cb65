/** Characters that could move the cursor, change the screen's colours, or turn the direction of reading; not tab and line end. */
export const controlCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be replaced
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** What stands in their place. */
export const replacementCharacter = "\u{fffd}";
