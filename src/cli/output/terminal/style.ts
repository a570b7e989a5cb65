import type { Terminal } from "./terminal.js";

const codes = { bold: "1", dim: "2", good: "32", bad: "1;31", careful: "1;33" } as const;

export type Look = keyof typeof codes;

/** Text in bold or in a color, where there are colors. It must not hold control characters. */
export function style(text: string, look: Look, { hasColor }: Pick<Terminal, "hasColor">): string {
  return hasColor && text !== "" ? coded(text, look) : text;
}

const leads: Readonly<Record<string, Look>> = {
  Error: "bad",
  Warning: "careful",
  Note: "bold",
  "✓": "good",
  "✗": "bad",
  "!": "careful",
  "↻": "careful",
};

/** Colors the word or the mark that a line begins with: `Error:`, `✓`. */
export function styleLeads(text: string): string {
  return text.replace(/^( *)(?:(Error|Warning|Note)(?=: )|([✓✗!↻])(?= ))/gm, (found, indent, word, mark) => {
    const look = leads[word ?? mark];
    return look === undefined ? found : indent + coded(word ?? mark, look);
  });
}

function coded(text: string, look: Look): string {
  return `\u001b[${codes[look]}m${text}\u001b[0m`;
}
