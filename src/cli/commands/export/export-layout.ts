import { resolve } from "node:path";
import { RalphError } from "../../../domain/ralph-error.js";
import { findStats } from "../../../files/find-stats.js";
import { type ExportedLayout, exportLayout, syncLayout } from "../../../interop/export-layout.js";
import { layouts, loadLayout, type PortLayout } from "../../../interop/layout.js";
import { counted } from "../../../text/counted.js";
import { type Command, defineCommand, type Format } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";
import { progressOn } from "../../output/terminal/progress.js";
import { surroundingsOf } from "../import/surroundings-of.js";

const everyMs = 2000;

/** The command that exports to a layout. */
export function exportLayoutCommand(name: PortLayout): Command {
  const { summary, place } = layouts[name];
  return defineCommand({
    summary: `export ${summary}`,
    description:
      "What was imported from this layout is written back as it was, with what has changed here; the rest in the published form.\n" +
      `"ralph import ${name}" reads it back. With --watch it keeps a folder in step with a team that still runs the other tool:\n` +
      "at once and after each finished task it imports what the other tool wrote, then exports, until Ctrl-C.",
    arguments: [{ name: "dir", summary: `output folder, such as ${place}` }],
    options: {
      force: { kind: "flag", summary: "overwrite an earlier export" },
      watch: { kind: "flag", summary: "keep the folder in step until Ctrl-C" },
    },
    formats: ["table", "json"],
    examples: [`ralph export ${name} ${place}`, `ralph export ${name} ${place} --watch`],
    async run({ arguments: [dir = ""], options, format, terminal, openMemory, environment }) {
      const layout = await loadLayout(name);
      const memory = await openMemory();
      const directory = resolve(dir);
      if (findStats(directory)?.isDirectory() === false)
        throw new RalphError("wrong-use", `Not a folder: ${dir}`, { hint: `such as ${place}` });
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
      const { listenForStop } = await import("../../input/stop-signals.js");
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
