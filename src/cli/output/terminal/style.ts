import { withoutControls } from "../../../text/control-characters.js";
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

/** Text on one line, without control characters. */
export function oneLine(text: string): string {
  return withoutControls(text.replace(/\s*\n\s*/g, " ⏎ ").replaceAll("\t", " "));
}

/** The codes that Ralph itself writes: to draw over its last line, and those of `style`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
const ownCodes = /(^\r(?:\u001b\[K)?|\u001b\[[1-3;]{1,4}m[^\u0000-\u001f\u007f-\u009f]*\u001b\[0m)/;

/** Text for a screen or a pipe with no control characters but Ralph's own. */
export function printableOutput(text: string): string {
  if (!text.includes("\u001b") && !text.startsWith("\r")) return withoutControls(text);
  return text
    .split(ownCodes)
    .map((part, index) => (index % 2 === 1 ? part : withoutControls(part)))
    .join("");
}

/** JSON for programs: every byte of what was stored. */
export function renderJson(value: unknown): Uint8Array {
  return Buffer.from(jsonText(value));
}

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  // JSON.stringify does not escape these, and terminals interpret them.
  return `${text.replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)}\n`;
}
