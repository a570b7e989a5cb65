import { resolve } from "node:path";
import { openExportSource } from "../../../interop/export-source.js";
import { layouts, type PortLayout } from "../../../interop/layout-names.js";
import { loadLayout } from "../../../interop/load-layout.js";
import { openTarget } from "../../../interop/target-folder.js";
import { counted } from "../../../text/counted.js";
import { type Command, defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { progressOn } from "../../output/terminal/progress.js";

/** The command that exports to a layout. */
export function exportLayoutCommand(name: PortLayout): Command {
  const { summary, place } = layouts[name];
  return defineCommand({
    summary: `export ${summary}`,
    description:
      `What was imported from this layout is written back as it was, with what has changed here; the rest in the published form.\n` +
      `"ralph import ${name}" reads it back.`,
    arguments: [{ name: "dir", summary: `output folder, such as ${place}` }],
    options: { force: { kind: "flag", summary: "overwrite an earlier export" } },
    formats: ["table", "json"],
    examples: [`ralph export ${name} ${place}`],
    async run({ arguments: [dir = ""], options, format, terminal, openMemory }) {
      const layout = await loadLayout(name);
      const target = openTarget(resolve(dir), { force: options.force });
      const source = await openExportSource(await openMemory(), name, {
        now: new Date(),
        onProgress: progressOn(terminal, "Writing records"),
      });
      const written = Object.entries((await layout.write?.(source, target)) ?? {});
      const { directory } = target;
      const named = written.map(([kind, count]) => [kind === "staged" ? kind : `${kind}s`, count]);
      const shown = written.map(([kind, count]) =>
        counted(count, kind === "staged" ? "staged learning" : kind),
      );
      terminal.out(
        format === "json"
          ? renderJson({ ...Object.fromEntries(named), files: target.files(), directory })
          : `Exported ${shown.join(", ")} to ${directory}\n`,
      );
      return 0;
    },
  });
}
