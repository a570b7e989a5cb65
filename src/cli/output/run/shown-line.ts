import { withoutControls } from "../../../text/control-characters.js";
import { wrapWords } from "../screen/wrap-words.js";

export type Tone = "plain" | "good" | "bad" | "warning" | "faint" | "strong";

/** A line about a run: where the text is wrapped, further rows have the margin and are indented by the hang. */
export interface ShownLine {
  margin: string;
  hang: string;
  text: string;
  tone: Tone;
}

export function shownLine(text: string, tone: Tone = "plain", margin = "", hang = "  "): ShownLine {
  return { margin, hang, text, tone };
}

/** Lines that a program printed, as they look on a screen: what a carriage return begins anew replaces what was before. */
export function printedLines(text: string, tone: Tone, margin: string): ShownLine[] {
  return text.split("\n").map((line) => {
    const last = line.replace(/\r+$/, "").split("\r").at(-1) ?? "";
    return shownLine(withoutControls(last.replaceAll("\t", "    ")).trimEnd(), tone, margin, "");
  });
}

/** The rows that a line takes on a screen of so many columns. */
export function rowsOf({ margin, hang, text }: ShownLine, columns: number): string[] {
  if (text === "") return [margin.trimEnd()];
  const [first = "", ...further] = wrapWords(
    text,
    columns - margin.length,
    columns - margin.length - hang.length,
  );
  return [`${margin}${first}`, ...further.map((row) => `${margin}${hang}${row}`)];
}
