import { resolve } from "node:path";
import { RalphError } from "../../../domain/ralph-error.js";
import { importLayout } from "../../../interop/import-layout.js";
import { layouts, loadLayout, type PortLayout } from "../../../interop/layout.js";
import type { Command } from "../../framework/command.js";
import { defineCommand } from "../../framework/command.js";
import { dryRunOption } from "../../options/learning-options.js";
import { printImportReport } from "../../output/import-report.js";
import { renderJson } from "../../output/terminal/json.js";
import { rateOn } from "../../output/terminal/rate.js";
import { askForSections } from "./ask-for-sections.js";
import { surroundingsOf } from "./surroundings-of.js";

/** The command that imports a layout. */
export function importLayoutCommand(name: PortLayout): Command {
  const { summary, place } = layouts[name];
  return defineCommand({
    summary: `import ${summary}`,
    description:
      "Everything is read and checked first; if a file is invalid, nothing is imported. Importing twice changes nothing; what was\n" +
      "deleted here does not come back. A number that is taken is replaced by the next free one. Of two versions of a record\n" +
      "the later one counts. Secrets are taken out. What reads like an instruction to an agent waits for a review. Without a\n" +
      "path, the usual places in the project and in your home are looked at.",
    arguments: [{ name: "path", summary: `file or folder, such as ${place}`, isOptional: true }],
    options: {
      "dry-run": dryRunOption,
      force: { kind: "flag", summary: "import also what does not match its checksum" },
      only: { kind: "list", placeholder: "NAMES", summary: "only these sections or parts" },
    },
    formats: ["table", "json"],
    examples: [`ralph import ${name} --dry-run`, `ralph import ${name} ${place}`],
    async run({ arguments: [given], options, format, terminal, openMemory, environment }) {
      const layout = await loadLayout(name);
      const memory = await openMemory();
      const surroundings = surroundingsOf(memory, environment);
      const paths = given === undefined ? layout.find(surroundings) : [resolve(given)];
      if (paths.length === 0)
        throw new RalphError("not-found", `There is nothing to import from ${name} here or in your home`, {
          hint: `name a file or folder, such as ${place}`,
        });
      const dryRun = options["dry-run"];
      const reports = [];
      for (const path of paths) {
        const isAsked = format === "table" && !dryRun && options.only === undefined;
        const only = isAsked ? await askForSections(layout, path, surroundings, terminal) : options.only;
        if (only === undefined && isAsked) continue;
        let showRate: ReturnType<typeof rateOn> | undefined;
        const report = await importLayout(memory, layout, path, {
          ...{ surroundings, force: options.force, only, dryRun },
          onChecked: (total) => {
            showRate = rateOn(terminal, total);
          },
          onProgress: (done) => showRate?.({ what: "records", done }),
        });
        reports.push({ path, ...report });
        if (format === "table") printImportReport(report, { dryRun, path }, terminal);
      }
      if (format === "json") terminal.out(renderJson({ layout: name, dry_run: dryRun, imports: reports }));
      return 0;
    },
  });
}
