import { RalphError } from "../../../domain/ralph-error.js";
import { type LogEntry, readLogEntry } from "../../../episodic/attempts/read-log-entry.js";
import { defineCommand } from "../../framework/command.js";
import { readLines } from "../../input/read-lines.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";

export const logCommand = defineCommand({
  summary: "log actions, milestones and qualities of the attempt that is under way",
  description:
    'Reads JSON Lines: an action has a "tool", a milestone an "event", the quality after an iteration a "quality". An\n' +
    '"idempotency_key" keeps an action from being logged twice. At a malformed line the lines before it are kept, or none\n' +
    "with --atomic.",
  arguments: [
    { name: "task", summary: "its id, such as task-001" },
    { name: "-", summary: "standard input, which is also the default", isOptional: true },
  ],
  options: { atomic: { kind: "flag", summary: "log all lines or none" } },
  formats: ["table", "json"],
  examples: [
    `echo '{"tool":"Bash","params":{"command":"npm test"},"success":false,"error":"1 failed"}' | ralph task log task-001`,
    `echo '{"event":"tests pass","iteration":2}' | ralph task log task-001 -`,
  ],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const { entries, problem } = readEntries();
    if (problem !== undefined && (options.atomic || entries.length === 0)) throw problem;
    const logged = await memory.logEntries(id, entries);
    const again = logged.duplicates === 0 ? "" : `, ${logged.duplicates} logged before`;
    for (const why of logged.degraded ?? []) terminal.talk(`Note: ${oneLine(why)}\n`);
    terminal.out(format === "json" ? renderJson(logged) : `Logged ${logged.logged}${again}\n`);
    if (problem !== undefined) throw problem;
    return 0;
  },
});

/** All entries up to the first line that is none. */
function readEntries(): { entries: LogEntry[]; problem?: RalphError } {
  const entries: LogEntry[] = [];
  const now = new Date().toISOString();
  for (const { text, number } of readLines()) {
    if (text.trim() === "") continue;
    try {
      entries.push(readLogEntry(JSON.parse(text), now));
    } catch (error) {
      const what = error instanceof RalphError ? error.message : "It is not JSON";
      const hint = `${entries.length} ${entries.length === 1 ? "entry" : "entries"} before it; mend the line and log the rest`;
      return {
        entries,
        problem: new RalphError("wrong-use", `Line ${number}: ${what}`, { hint, cause: error }),
      };
    }
  }
  return { entries };
}
