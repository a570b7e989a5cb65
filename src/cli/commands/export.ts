import { join, resolve } from "node:path";
import { findStats } from "../../files/find-stats.js";
import { crossTaskPaths, writeCrossTaskMemory } from "../../interop/cross-task/write-memory.js";
import { writeDump } from "../../interop/dump.js";
import { type ExportedLayout, exportLayout } from "../../interop/export-layout.js";
import { layouts, loadLayout, type PortLayout } from "../../interop/layout.js";
import { syncLayout } from "../../interop/sync-layout.js";
import { pathOfSetting } from "../../memory/check-setting.js";
import type { Memory } from "../../memory/memory.js";
import { counted } from "../../text/counted.js";
import { type Command, defineCommand, type Format, wrongUse } from "../framework/command.js";
import { flag } from "../framework/options.js";
import { targetFile } from "../output/target-file.js";
import { progressOn } from "../output/terminal/progress.js";
import { oneLine, renderJson } from "../output/terminal/style.js";
import { surroundingsOf } from "./import.js";

const everyMs = 2000;

/** The command that exports to a layout. */
function exportLayoutCommand(name: PortLayout): Command {
  const { summary, place } = layouts[name];
  return defineCommand({
    summary: `export ${summary}`,
    description:
      "What was imported from this layout is written back as it was, with what has changed here; the rest in the published form.\n" +
      `"ralph import ${name}" reads it back. With --watch it keeps a folder in step with a team that still runs the other tool:\n` +
      "at once and after each finished task it imports what the other tool wrote, then exports, until Ctrl-C.",
    arguments: [{ name: "dir", summary: `output folder, such as ${place}` }],
    options: {
      force: flag("overwrite an earlier export"),
      watch: flag("keep the folder in step until Ctrl-C"),
    },
    formats: ["table", "json"],
    examples: [`ralph export ${name} ${place}`, `ralph export ${name} ${place} --watch`],
    async run({ arguments: [dir = ""], options, format, terminal, openMemory, environment }) {
      const layout = await loadLayout(name);
      const memory = await openMemory();
      const directory = resolve(dir);
      if (findStats(directory)?.isDirectory() === false)
        throw wrongUse(`Not a folder: ${dir}`, `such as ${place}`);
      const print = (exported: ExportedLayout) => terminal.out(render(exported, format));
      if (!options.watch) {
        const onProgress = progressOn(terminal, "Writing records");
        print(
          await exportLayout(memory, layout, directory, {
            force: options.force,
            now: new Date(),
            onProgress,
          }),
        );
        return 0;
      }
      const { listenForStop } = await import("./run/run-on-terminal.js");
      const signals = listenForStop(() => terminal.talk("Stopped\n"));
      terminal.talk(`Keeping ${oneLine(directory)} in step; Ctrl-C ends it\n`);
      try {
        await syncLayout(memory, layout, directory, {
          ...{ surroundings: surroundingsOf(memory, environment), stop: signals.stop, everyMs },
          onExported: print,
          onProblem: ({ message }) => terminal.talk(`Nothing was written: ${oneLine(message)}\n`),
        });
      } finally {
        signals.close();
      }
      return 0;
    },
  });
}

function render({ directory, files, written }: ExportedLayout, format: Format): string | Uint8Array {
  const counts = Object.entries(written);
  if (format === "json") {
    const named = counts.map(([kind, count]) => [kind === "staged" ? kind : `${kind}s`, count]);
    return renderJson({ ...Object.fromEntries(named), files, directory });
  }
  const shown = counts.map(([kind, count]) => counted(count, kind === "staged" ? "staged learning" : kind));
  return `Exported ${shown.join(", ")} to ${oneLine(directory)}\n`;
}

const exportCrossTaskCommand = defineCommand({
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
  options: { force: flag("overwrite an earlier export") },
  examples: ["ralph export cross-task", "ralph export cross-task backup/memory"],
  async run({ arguments: [dir], options, terminal, print, openMemory }) {
    if (dir?.trim() === "") throw wrongUse("The output folder is an empty string");
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
    print({
      json: { tasks, index_file: indexFile },
      table: `Exported ${counted(tasks, "task")} to ${indexFile}\n`,
    });
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

const exportJsonlCommand = defineCommand({
  summary: "export all records as JSON Lines, for a backup or another store",
  description:
    "Writes every record that the store keeps: tasks, attempts, actions, reflections, learnings, links, briefs, credits,\n" +
    "ledgers, handoffs, skill uses and runs, as they are at one moment. Notes and skills stay in their files. The first line\n" +
    'says what it is, the last one how many rows there are. "ralph import jsonl" reads it back, into any store.',
  arguments: [{ name: "file", summary: "file to write; - writes to standard output" }],
  options: { force: flag("overwrite the file") },
  examples: ["ralph export jsonl backup.jsonl", "ralph export jsonl - | gzip > backup.jsonl.gz"],
  async run({ arguments: [file = ""], options, format, terminal, openMemory }) {
    if (file.trim() === "") throw wrongUse("The name of the file is missing");
    const isPiped = file === "-";
    const path = isPiped ? file : targetFile(file);
    const { writeNewFile } = await import("../../files/write-new-file.js");
    const { records } = await openMemory();
    const created = new Date().toISOString();
    const counts = await records.dump((dump) => {
      const onProgress = progressOn(terminal, "Writing records");
      if (!isPiped)
        return writeNewFile(path, { force: options.force }, (write) =>
          writeDump(dump, { created, write, onProgress }),
        );
      const write = async (lines: string) => terminal.out(Buffer.from(lines));
      return writeDump(dump, { created, write });
    });
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    if (format === "json" && !isPiped) terminal.out(renderJson({ file: path, rows, counts }));
    else if (isPiped) terminal.talk(`Exported ${counted(rows, "row")}\n`);
    else terminal.out(`Exported ${counted(rows, "row")} to ${path}\n`);
  },
});

export function exportCommand(name: PortLayout | "cross-task" | "jsonl"): Command {
  if (name === "jsonl") return exportJsonlCommand;
  return name === "cross-task" ? exportCrossTaskCommand : exportLayoutCommand(name);
}
