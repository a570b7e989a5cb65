// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes begin with one
const terminalCodes = /\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

// Enough for any tool's error message, and keeps every pattern fast.
const maxLineLength = 1000;
const maxLines = 40_000;

/** Removes colours and links. */
export function withoutTerminalCodes(text: string): string {
  return text.replace(terminalCodes, "");
}

/** The lines as a person sees them, without terminal codes and carriage returns; very long output keeps both ends. */
export function outputLines(output: string): string[] {
  const lines = withoutTerminalCodes(output)
    .split(/\r?\n|\r/)
    .map((line) => line.slice(0, maxLineLength));
  if (lines.length <= maxLines) return lines;
  const omitted = lines.length - maxLines;
  return [...lines.slice(0, maxLines / 2), `[… ${omitted} lines left out …]`, ...lines.slice(-maxLines / 2)];
}
