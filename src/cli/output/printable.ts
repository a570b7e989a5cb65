/** Text without characters that could move the cursor, change the screen's colours, or turn the direction of reading. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be replaced
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\u{fffd}");
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s*\n\s*/g, " ⏎ ").replaceAll("\t", " "));
}
