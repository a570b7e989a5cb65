/** What a command printed, and how it ended. */
export interface CommandResult {
  output: string;
  /** Such as `Exit code 2`; empty for a success, undefined where the text does not tell. */
  fault?: string;
}

const wrapper = /^<untrusted_context>\n|\n<\/untrusted_context>$/g;
const head = /^(?:Command: [\s\S]*?\nDirectory: .*\n)?Output: /;
const ending = /^\(?(?:Exit Code|Signal|Background PIDs|Process Group PGID): |^Error: \(none\)$/;
const failing = /^\(?(?:Exit Code: -?[1-9]\d*|Signal: (?!\(none\)|0$)[^)]+)\)?$/;

/** The output of a command without the lines that Gemini CLI and Qwen Code put around it. */
export function unwrapOutput(text: string): CommandResult {
  const inner = text.replace(wrapper, "");
  if (!head.test(inner)) return { output: inner };
  const lines = inner.replace(head, "").split("\n");
  const last = lines.findLastIndex((line, index) => index === 0 || !ending.test(line));
  const printed = lines.slice(0, last + 1).join("\n");
  const told = lines.slice(last + 1).find((line) => failing.test(line)) ?? "";
  return {
    output: printed === "(empty)" ? "" : printed,
    fault: told
      .replace(/^\(|\)$/g, "")
      .replace("Exit Code: ", "Exit code ")
      .replace("Signal: ", "Signal "),
  };
}

/** How a command ended, and what it printed, as one text. */
export function describeResult({ output, fault = "" }: CommandResult): string {
  return [fault, output].filter((part) => part !== "").join("\n");
}
