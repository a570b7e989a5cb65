import { RalphError } from "../../../domain/ralph-error.js";
import { isInside } from "../../../files/path-inside.js";
import { checkLayout, importLayout } from "../../../interop/import-layout.js";
import type { Layout, Surroundings } from "../../../interop/layout.js";
import {
  type LayoutSummary,
  layoutNames,
  layouts,
  loadLayout,
  portLayouts,
} from "../../../interop/layout.js";
import { foreignKinds } from "../../../memory/imports/foreign-record.js";
import type { Memory } from "../../../memory/memory.js";
import { counted } from "../../../text/counted.js";
import { suggest } from "../../../text/nearest.js";
import { defineCommand } from "../../framework/command.js";
import { canPrompt } from "../../input/ask.js";
import { confirm } from "../../input/confirm.js";
import { kindWords, printImportReport } from "../../output/import-report.js";
import { renderJson } from "../../output/terminal/json.js";
import { renderTable } from "../../output/terminal/table.js";
import { askForSections } from "./ask-for-sections.js";
import { surroundingsOf } from "./surroundings-of.js";

interface Found {
  layout: Layout;
  path: string;
  /** Such as "3 tasks, 2 notes". */
  counts: string;
  problem?: string;
}

export const importFoundCommand = defineCommand({
  summary: "find what other tools keep here and in your home, and offer to import it",
  description:
    "Looks for the files of other tools in the project and in your home, and says how many records they hold. On a terminal it\n" +
    "asks which of them to import; elsewhere it says what to run.",
  arguments: [
    { name: "layout", summary: layoutNames.join(", "), isOptional: true },
    { name: "path", summary: "where it is, if it is not in its usual place", isOptional: true },
  ],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph import", "ralph import --json"],
  async run({ arguments: [name], format, terminal, openMemory, environment }) {
    if (name !== undefined)
      throw new RalphError("wrong-use", `Unknown layout: ${name}`, { hint: suggest(name, layoutNames) });
    const memory = await openMemory();
    const surroundings = surroundingsOf(memory, environment);
    const found = await findAll(memory, surroundings);
    if (format === "json") {
      terminal.out(renderJson(found.map(({ layout, ...each }) => ({ layout: layout.name, ...each }))));
      return 0;
    }
    if (found.length === 0) {
      terminal.out("Found nothing of other tools here or in your home\n");
      return 0;
    }
    terminal.out(
      renderTable(
        ["Layout", "Records", "Path"],
        found.map(({ layout, counts, problem, path }) => [layout.name, problem ?? counts, path]),
        terminal,
      ),
    );
    const usable = found.filter(({ problem }) => problem === undefined);
    if (!(await canPrompt(terminal))) {
      for (const { layout, path } of usable) terminal.out(`ralph import ${layout.name} ${path}\n`);
      return 0;
    }
    for (const { layout, path, counts } of usable) {
      if (!(await confirm(`Import ${counts} of ${layout.name} from ${path}?`, terminal))) continue;
      const only = await askForSections(layout, path, surroundings, terminal);
      if (only === undefined) continue;
      const report = await importLayout(memory, layout, path, { surroundings, only });
      printImportReport(report, { dryRun: false, path }, terminal);
    }
    return 0;
  },
});

async function findAll(memory: Memory, surroundings: Surroundings): Promise<Found[]> {
  const found: Found[] = [];
  for (const name of portLayouts) {
    const layout = await loadLayout(name);
    const { coveredBy }: LayoutSummary = layouts[name];
    const isCovered = (path: string) =>
      found.some((other) => other.layout.name === coveredBy && isInside(other.path, path));
    for (const path of layout.find(surroundings).filter((each) => !isCovered(each)))
      found.push({ layout, path, ...(await look(memory, layout, path, surroundings)) });
  }
  return found.filter(({ counts }) => counts !== nothing);
}

const nothing = "nothing";

async function look(
  memory: Memory,
  layout: Layout,
  path: string,
  surroundings: Surroundings,
): Promise<Pick<Found, "counts" | "problem">> {
  try {
    const { counts } = await checkLayout(memory, layout, path, { surroundings });
    const shown = foreignKinds.filter((kind) => counts[kind] !== undefined && kind !== "kept");
    return {
      counts: shown.map((kind) => counted(counts[kind] ?? 0, kindWords[kind])).join(", ") || nothing,
    };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { counts: "", problem: error.message };
  }
}
