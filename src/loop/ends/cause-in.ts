import { isBareVerdict } from "../../failures/bare-verdicts.js";
import { outputLines } from "../../text/output-lines.js";
import { startOf } from "../../text/secrets/clip-output.js";

const maxLength = 200;
const maxLines = 60;

const telling =
  /\b(?:\w*error|\w*exception|fatal|panic|failed|failure|denied|refused|rejected|invalid|missing|required|unknown|unauthori[sz]ed|forbidden|expired|exceeded|exhausted|quota|overloaded|limit|cannot|can't|could not|unable|no such|log ?in|not (?:set|found|installed|available|allowed|supported|logged in|authenticated|configured))\b/i;
const noise = /^(?:at |File "|\^|Node\.js v\d|\(node:\d+\)|\(Use `node)|[\w.-]*warning\b/i;

/**
 * The line that says best why a program failed, of the first output that has one; otherwise the last line of any. Undefined if
 * they say nothing.
 */
export function causeIn(...outputs: readonly string[]): string | undefined {
  const all = outputs.map(sayingLines);
  const find = (isTold: (line: string) => boolean) =>
    all.map((lines) => lines.findLast(isTold)).find(Boolean);
  const told =
    find((line) => telling.test(line) && !isBareVerdict(line)) ?? find((line) => telling.test(line));
  const last = all.map((lines) => lines.at(-1)).find(Boolean);
  const cause = told ?? last;
  if (cause === undefined) return undefined;
  return cause.length > maxLength ? `${startOf(cause, maxLength)} …` : cause;
}

function sayingLines(output: string): string[] {
  return outputLines(output)
    .slice(-maxLines)
    .map((line) => line.trim())
    .filter((line) => /[A-Za-z\u0080-\uffff]/.test(line) && !noise.test(line) && !line.startsWith("{"));
}
