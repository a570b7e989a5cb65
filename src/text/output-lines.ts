// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes begin with one
const terminalCodes = /\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

// No tool needs more to say what is wrong, and every pattern stays quick.
const maxLineLength = 1000;
const maxLines = 40_000;

/** A text as it would be without colours and links. */
export function withoutTerminalCodes(text: string): string {
  return text.replace(terminalCodes, "");
}

/** The lines that a person would see: without colours, links and carriage returns; of very many, both ends. */
export function outputLines(output: string): string[] {
  const lines = withoutTerminalCodes(output)
    .split(/\r?\n|\r/)
    .map((line) => line.slice(0, maxLineLength));
  if (lines.length <= maxLines) return lines;
  const left = lines.length - maxLines;
  return [...lines.slice(0, maxLines / 2), `[… ${left} lines left out …]`, ...lines.slice(-maxLines / 2)];
}
