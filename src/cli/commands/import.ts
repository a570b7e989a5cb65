import { resolve } from "node:path";
import { type Environment, homeFolder } from "../../domain/environment.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isInside } from "../../files/path-inside.js";
import { openDump } from "../../interop/dump.js";
import { checkLayout, importLayout } from "../../interop/import-layout.js";
import {
  type Layout,
  type LayoutSummary,
  layoutNames,
  layouts,
  loadLayout,
  type PortLayout,
  portLayouts,
  type SectionSummary,
  type Surroundings,
} from "../../interop/layout.js";
import { foreignKinds } from "../../memory/imports/foreign-record.js";
import type { Memory } from "../../memory/memory.js";
import { counted } from "../../text/counted.js";
import { suggest } from "../../text/nearest.js";
import { type Command, defineCommand, wrongUse } from "../framework/command.js";
import { dryRunOption, flag, list } from "../framework/options.js";
import { type Ask, ask, canPrompt, confirm } from "../input/ask.js";
import { kindWords, loadedLines, printImportReport } from "../output/import-report.js";
import { rateOn } from "../output/terminal/progress.js";
import { oneLine, renderJson } from "../output/terminal/style.js";
import { renderTable } from "../output/terminal/table.js";
import type { Terminal } from "../output/terminal/terminal.js";

/** Where data of other tools may be. */
export function surroundingsOf({ project }: Memory, environment: Environment): Surroundings {
  return { root: project.root, home: homeFolder(environment), environment };
}

/** The command that imports a layout. */
function importLayoutCommand(name: PortLayout): Command {
  const { summary, place } = layouts[name];
  return defineCommand({
    summary: `import ${summary}`,
    description:
      "Everything is read and checked first; if a file is invalid, nothing is imported. Importing twice changes nothing; what was\n" +
      "deleted here does not come back. A number that is taken is replaced by the next free one. Of two versions of a record\n" +
      "the later one counts. Secrets are taken out. What reads like an instruction to an agent waits for a review. Without a\n" +
      "path, it looks in the usual places in the project and in your home.",
    arguments: [{ name: "path", summary: `file or folder, such as ${place}`, isOptional: true }],
    options: {
      "dry-run": dryRunOption,
      force: flag("import also what does not match its checksum"),
      only: list("NAMES", "only these sections or parts"),
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

const importJsonlCommand = defineCommand({
  summary: "import all records of a dump",
  description:
    'Reads what "ralph export jsonl" wrote. The whole file is checked first; if a line is invalid, nothing is imported.\n' +
    "Of two versions of a record the later one stays; records deleted here stay deleted. Importing twice changes nothing.\n" +
    "A task whose number is taken gets the next free one. Secrets are taken out. A task or learning in it that reads like an\n" +
    "instruction to an agent is shown to agents once you have allowed it, and an interrupted run can be resumed once you have\n" +
    'allowed what it would start ("ralph trust").',
  arguments: [{ name: "file", summary: "file with the dump" }],
  options: { "dry-run": flag("only say what would be imported") },
  examples: ["ralph import jsonl backup.jsonl", "ralph import jsonl backup.jsonl --dry-run"],
  async run({ arguments: [file = ""], options, format, terminal, openMemory }) {
    const { header, rows } = openDump(resolve(file));
    const { records } = await openMemory();
    const total = await records.check(rows());
    const dryRun = options["dry-run"];
    const onProgress = rateOn(terminal, total);
    const loaded = await records.load(header, rows(), { dryRun, onProgress });
    if (format === "json") terminal.out(renderJson({ ...loaded, dry_run: dryRun }));
    else for (const line of loadedLines(loaded, { dryRun })) terminal.out(`${line}\n`);
  },
});

interface Found {
  layout: Layout;
  path: string;
  /** Such as "3 tasks, 2 notes". */
  counts: string;
  problem?: string;
}

export const importFoundCommand = defineCommand({
  summary: "find data of other tools here and in your home, and offer to import it",
  description:
    "Looks for the files of other tools in the project and in your home, and counts their records. On a terminal it asks\n" +
    "which of them to import; elsewhere it prints the commands that import them.",
  arguments: [
    { name: "layout", summary: layoutNames.join(", "), isOptional: true },
    { name: "path", summary: "where it is, if it is not in its usual place", isOptional: true },
  ],
  examples: ["ralph import", "ralph import --json"],
  async run({ arguments: [name], format, terminal, openMemory, environment }) {
    if (name !== undefined) throw wrongUse(`Unknown layout: ${name}`, suggest(name, layoutNames));
    const memory = await openMemory();
    const surroundings = surroundingsOf(memory, environment);
    const found = await findAll(memory, surroundings);
    if (format === "json") {
      terminal.out(renderJson(found.map(({ layout, ...each }) => ({ layout: layout.name, ...each }))));
      return 0;
    }
    if (found.length === 0) {
      terminal.out("Found no data of other tools here or in your home\n");
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

/** On a terminal, which sections to import, if the layout has some; undefined for none at all. */
async function askForSections(
  { sections }: Layout,
  path: string,
  surroundings: Surroundings,
  terminal: Terminal,
): Promise<string[] | undefined> {
  if (sections === undefined || !(await canPrompt(terminal))) return [];
  const found = sections(path, { surroundings, force: false });
  return pickSections(found, terminal, ask);
}

/** Asks which sections are wanted. Empty for those that are taken by default; undefined for none. */
export async function pickSections(
  sections: readonly SectionSummary[],
  terminal: Pick<Terminal, "talk">,
  ask: Ask,
): Promise<string[] | undefined> {
  if (sections.length < 2) return [];
  for (const [index, { name, file, isOptional }] of sections.entries()) {
    const mark = isOptional ? "  (only if you name it)" : "";
    terminal.talk(`${String(index + 1).padStart(3)}  ${oneLine(name)}  ${oneLine(file)}${mark}\n`);
  }
  const answer = (await ask("Which sections? Numbers such as 1,3-5; Enter for all; n for none: "))?.trim();
  if (answer === undefined || /^no?(?:ne)?$/i.test(answer)) return undefined;
  if (/^(?:|a|all|y|yes)$/i.test(answer)) return [];
  return numbersIn(answer, sections.length).flatMap((number) => {
    const { name, file } = sections[number - 1] ?? {};
    return name === undefined ? [] : [`${file} ${name}`];
  });
}

/** The numbers of a list such as `1,3-5`. */
function numbersIn(answer: string, most: number): number[] {
  return answer.split(/[\s,]+/).flatMap((part) => {
    const [, first = "", last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === "" || from < 1 || to > most || to < from)
      throw wrongUse(`There is no section ${part}`, `use numbers from 1 to ${most}`);
    return Array.from({ length: to - from + 1 }, (_each, index) => from + index);
  });
}

export function importCommand(name: PortLayout | "jsonl"): Command {
  return name === "jsonl" ? importJsonlCommand : importLayoutCommand(name);
}
