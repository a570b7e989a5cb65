import { join, resolve } from "node:path";
import { RalphError } from "../../../domain/ralph-error.js";
import { crossTaskPaths, writeCrossTaskMemory } from "../../../interop/cross-task/write-memory.js";
import type { Memory } from "../../../memory/memory.js";
import { pathOfSetting } from "../../../memory/settings/path-of-setting.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { progressOn } from "../../output/terminal/progress.js";

export const exportCrossTaskCommand = defineCommand({
  summary: "export finished tasks for cross-task learning",
  description:
    "Writes the published cross-task layout: task-index.json with one record per finished task, its reflections in\n" +
    "reflections/ and, with an embedder, its vector in embeddings/. Without a folder argument, each reflection is also\n" +
    "written to a file below memory_config.storage.reflections_path. Tasks older than\n" +
    "cross_task_learning.retrieval.max_age_days are skipped.",
  arguments: [
    {
      name: "dir",
      summary: "output folder [default: set by cross_task_learning.storage]",
      isOptional: true,
    },
  ],
  options: { force: { kind: "flag", summary: "overwrite an earlier export" } },
  formats: ["table", "json"],
  examples: ["ralph export cross-task", "ralph export cross-task backup/memory"],
  async run({ arguments: [dir], options, format, terminal, openMemory }) {
    if (dir?.trim() === "") throw new RalphError("wrong-use", "The output folder is an empty string");
    const memory = await openMemory();
    const { settings } = await memory.settings();
    const paths = dir === undefined ? await configuredPaths(memory) : crossTaskPaths(resolve(dir));
    const { tasks } = await writeCrossTaskMemory(memory, {
      ...paths,
      isWindowOnly: !settings["memory_config.storage.all_reflections_kept"],
      maxAgeDays: settings["cross_task_learning.retrieval.max_age_days"],
      now: new Date(),
      force: options.force,
      onProgress: progressOn(terminal, "Writing tasks"),
    });
    const { indexFile } = paths;
    terminal.out(
      format === "json"
        ? renderJson({ tasks, index_file: indexFile })
        : `Exported ${counted(tasks, "task")} to ${indexFile}\n`,
    );
    return 0;
  },
});

/** The placeholder for a task's id in `memory_config.storage.reflections_path`. */
const taskPlaceholder = "{loop_id}";

async function configuredPaths(memory: Memory) {
  const { settings } = await memory.settings();
  const { root } = memory.project;
  const memoryPath = settings["cross_task_learning.storage.memory_path"];
  const indexFile = settings["cross_task_learning.storage.index_file"];
  const reflectionsPath = settings["cross_task_learning.storage.reflections_path"];
  const embeddingsPath = settings["cross_task_learning.storage.embeddings_path"];
  const taskReflections = settings["memory_config.storage.reflections_path"];
  const from = pathOfSetting("cross_task_learning.storage.memory_path", memoryPath, { root });
  return {
    indexFile: pathOfSetting("cross_task_learning.storage.index_file", indexFile, { root, from }),
    reflectionsFolder: pathOfSetting("cross_task_learning.storage.reflections_path", reflectionsPath, {
      root,
    }),
    embeddingsFolder: pathOfSetting("cross_task_learning.storage.embeddings_path", embeddingsPath, { root }),
    taskFolder: (taskId: string) =>
      pathOfSetting("memory_config.storage.reflections_path", taskPath(taskReflections, taskId), { root }),
  };
}

/** Without a placeholder, each task gets its own folder below the path. */
function taskPath(path: string, taskId: string): string {
  return path.includes(taskPlaceholder) ? path.replaceAll(taskPlaceholder, taskId) : join(path, taskId);
}
