import { resolve } from "node:path";
import { writeEpisodicTree } from "../../../interop/episodic/write-tree.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { progressOn } from "../../output/terminal/progress.js";

export const exportEpisodicCommand = defineCommand({
  summary: "export all tasks as a tree of JSON files",
  description:
    "Writes the published episodic layout: tasks/task-001 with metadata, trajectory, reflections, summary and attempts,\n" +
    'and index/ next to it. "ralph import episodic" reads it back.',
  arguments: [{ name: "dir", summary: "output folder, such as .aiwg/ralph" }],
  options: { force: { kind: "flag", summary: "overwrite an earlier export" } },
  formats: ["table", "json"],
  examples: ["ralph export episodic .aiwg/ralph"],
  async run({ arguments: [dir = ""], options, format, terminal, openMemory }) {
    const directory = resolve(dir);
    const onProgress = progressOn(terminal, "Writing tasks");
    const { tasks } = await writeEpisodicTree(await openMemory(), directory, {
      force: options.force,
      onProgress,
    });
    terminal.out(
      format === "json"
        ? renderJson({ tasks, directory })
        : `Exported ${counted(tasks, "task")} to ${directory}\n`,
    );
    return 0;
  },
});
