import { lazyModule } from "../../../domain/lazy-module.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { readLines } from "../../input/read-lines.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";

const clipping = lazyModule(() => import("../../../text/secrets/clip-output.js"));

export const logCommand = defineCommand({
  summary: "log actions, milestones and quality for the current attempt",
  description:
    'Reads JSON Lines: an action has a "tool", a milestone an "event", the result of an iteration a "quality". An\n' +
    '"idempotency_key" prevents an action from being logged twice. Reading stops at a malformed line; the lines before it\n' +
    "are logged, unless you pass --atomic.",
  arguments: [
    { name: "task", summary: "task id, such as task-001" },
    { name: "-", summary: "standard input (the default)", isOptional: true },
  ],
  options: { atomic: { kind: "flag", summary: "log all lines or none" } },
  formats: ["table", "json"],
  examples: [
    `echo '{"tool":"Bash","params":{"command":"npm test"},"success":false}' | ralph task log task-001`,
    `echo '{"event":"tests pass","iteration":2}' | ralph task log task-001 -`,
  ],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
    const { tasks } = await openMemory();
    const read = await readEntries();
    const { malformed } = await tasks.log(id, read.entries, { dryRun: true });
    const valid = read.entries.slice(0, malformed?.index);
    const wrong = malformed ? { line: read.lines[malformed.index], what: malformed.message } : read.notJson;
    const problem =
      wrong &&
      new RalphError("wrong-use", `Line ${wrong.line}: ${wrong.what}`, {
        hint: `${valid.length} ${valid.length === 1 ? "entry" : "entries"} before it; fix the line and log the rest`,
      });
    if (problem !== undefined && (options.atomic || valid.length === 0)) throw problem;
    const logged = await tasks.log(id, valid);
    const again = logged.duplicates === 0 ? "" : `, skipped ${counted(logged.duplicates, "duplicate")}`;
    const later = logged.waiting === undefined ? "" : `; ${logged.waiting} waiting on this machine`;
    for (const why of logged.degraded ?? []) terminal.talk(`Note: ${oneLine(why)}\n`);
    terminal.out(format === "json" ? renderJson(logged) : `Logged ${logged.logged}${again}${later}\n`);
    if (problem !== undefined) throw problem;
    return 0;
  },
});

interface ReadEntries {
  entries: object[];
  /** Line number of each entry. */
  lines: number[];
  /** The first line that is not JSON; reading stops there. */
  notJson?: { line: number; what: string };
}

/** Longer lines are clipped at once as they are stored, so that a log of any length fits into memory. */
const longLine = 64 * 1024;

async function readEntries(): Promise<ReadEntries> {
  const entries: object[] = [];
  const lines: number[] = [];
  for (const { text, number } of readLines()) {
    if (text.trim() === "") continue;
    try {
      const entry = JSON.parse(text);
      entries.push(text.length > longLine ? await clipping.clipDeep(entry) : entry);
      lines.push(number);
    } catch {
      return { entries, lines, notJson: { line: number, what: "not valid JSON" } };
    }
  }
  return { entries, lines };
}
