/** Text without control characters, which could move the cursor or change the screen's colours. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be replaced
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\u{fffd}");
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s*\n\s*/g, " ⏎ ").replaceAll("\t", " "));
}
