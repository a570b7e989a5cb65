import type { Terminal } from "./terminal.js";

const codes = { bold: "1", dim: "2", good: "32", bad: "1;31", careful: "1;33" } as const;

export type Look = keyof typeof codes;

/** Text in bold or in a color, where there are colors. It must not hold control characters. */
export function style(text: string, look: Look, { hasColor }: Pick<Terminal, "hasColor">): string {
  return hasColor && text !== "" ? coded(text, look) : text;
}

const leads: Readonly<Record<string, Look>> = { Error: "bad", Warning: "careful", Note: "bold" };

/** A message with its first word, such as `Error`, in its color. */
export function styleLead(message: string): string {
  const [, lead = "", rest = ""] = /^(Error|Warning|Note)(:[\s\S]*)$/.exec(message) ?? [];
  const look = leads[lead];
  return look === undefined ? message : coded(lead, look) + rest;
}

const marks: Readonly<Record<string, Look>> = { "✓": "good", "✗": "bad", "!": "careful", "↻": "careful" };

/** A mark at the beginning of a line, in its color. */
export function styleMark(mark: string, terminal: Pick<Terminal, "hasColor">): string {
  const look = marks[mark];
  return look === undefined ? mark : style(mark, look, terminal);
}

function coded(text: string, look: Look): string {
  return `\u001b[${codes[look]}m${text}\u001b[0m`;
}
