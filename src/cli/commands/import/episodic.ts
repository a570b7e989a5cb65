import { resolve } from "node:path";
import { readEpisodicTree } from "../../../interop/episodic/read-tree.js";
import { sessionOf } from "../../../memory/session-of.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";

export const importEpisodicCommand = defineCommand({
  summary: "import tasks from a tree of JSON files",
  description:
    'Reads the layout that "ralph export episodic" writes. If any file is invalid, nothing is imported. Tasks that already\n' +
    "exist are skipped; a task whose id is taken gets the next free one. Files and fields that have no place in Ralph's\n" +
    "records are named.",
  arguments: [{ name: "dir", summary: "folder that contains tasks/, such as .aiwg/ralph" }],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph import episodic .aiwg/ralph"],
  async run({ arguments: [dir = ""], format, terminal, openMemory }) {
    const memory = await openMemory();
    const skipped: string[] = [];
    const onSkipped = (part: string) => skipped.push(part);
    const histories = await sessionOf(memory).redacting(async () =>
      readEpisodicTree(resolve(dir), { onSkipped }),
    );
    const result = await memory.tasks.restore(histories);
    if (format === "json") terminal.out(renderJson({ ...result, skipped }));
    else {
      for (const part of skipped) terminal.talk(`Skipped ${oneLine(part)}\n`);
      for (const { from, task_id } of result.restored)
        if (from !== task_id) terminal.talk(`${oneLine(from)} imported as ${task_id}\n`);
      const known = result.known.length === 0 ? "" : `, ${result.known.length} already existed`;
      terminal.out(`Imported ${counted(result.restored.length, "task")}${known}\n`);
    }
    return 0;
  },
});
