import { resolve } from "node:path";
import { readEpisodicTree } from "../../../interop/episodic/read-tree.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const importEpisodicCommand = defineCommand({
  summary: "read tasks from a tree of JSON files",
  description:
    'The layout that "ralph export episodic" writes. All tasks are taken over or, when one file is wrong, none. A task\n' +
    "that is here already is left alone; one whose number is taken gets the next free one.",
  arguments: [{ name: "dir", summary: "the folder that holds tasks/, such as .aiwg/ralph" }],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph import episodic .aiwg/ralph"],
  async run({ arguments: [dir = ""], format, terminal, openMemory }) {
    const histories = readEpisodicTree(resolve(dir));
    const result = await (await openMemory()).tasks.restore(histories);
    if (format === "json") terminal.out(renderJson(result));
    else {
      for (const { from, task_id } of result.restored)
        if (from !== task_id) terminal.talk(`${from} is ${task_id} here\n`);
      const known = result.known.length === 0 ? "" : `, ${result.known.length} here already`;
      terminal.out(`${counted(result.restored.length, "task")} imported${known}\n`);
    }
    return 0;
  },
});
