import { replaceFile } from "../../files/replace-file.js";
import { defineCommand } from "../framework/command.js";
import { text } from "../framework/options.js";
import { targetFile } from "../output/target-file.js";
import { pageFolder } from "./ui.js";

export const reportCommand = defineCommand({
  summary: "write a task or the project's figures as one HTML file",
  description:
    "The file needs nothing else: no script, no font and no picture from anywhere, and opens from disk. Of a task it shows the\n" +
    "timeline, what was done in each iteration, failures and what resolved them; without a task, how many there are, whether\n" +
    "memory helps, and which learnings did. Secrets are redacted once more. A file of that name is replaced.",
  arguments: [
    { name: "task", summary: "task ids [default: the whole project]", isOptional: true, isRepeated: true },
  ],
  options: {
    out: text(
      "FILE",
      "where to write it; - for standard output [default: ralph-report.html, or named after the task]",
      { short: "o" },
    ),
  },
  examples: ["ralph report", "ralph report task-007", "ralph report task-007 task-008 --out review.html"],
  async run({ arguments: tasks, options, terminal, print, openMemory, version }) {
    const out = options.out ?? (tasks.length === 1 ? `ralph-report-${tasks[0]}.html` : "ralph-report.html");
    const path = out === "-" ? undefined : targetFile(out);
    const memory = await openMemory();
    const text = await (await import("../../ui/report/write-report.js")).makeReport(memory, {
      tasks,
      version,
      folder: pageFolder,
      now: new Date(),
    });
    if (path === undefined) {
      terminal.out(Buffer.from(text));
      return 0;
    }
    replaceFile(path, text);
    print({ json: { path, bytes: Buffer.byteLength(text) }, table: `${path}\n` });
  },
});
