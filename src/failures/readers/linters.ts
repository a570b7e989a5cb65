import {
  type FailureReader,
  type FoundFailure,
  readBlocks,
  readersOf,
  readLines,
  toFailure,
} from "../failure-reader.js";

/** Warnings are failures only if the tool says it failed because of them. */
function warningsCount(lines: readonly string[]): boolean {
  return lines.some((line) =>
    /^ESLint found too many warnings|^ +[×✖] Some warnings were emitted while running checks/.test(line),
  );
}

/** The rule is in the last column, after two spaces; a file that cannot be parsed has none. Yamllint prints the same. */
function readEslint(lines: readonly string[]): FoundFailure[] {
  const strict = warningsCount(lines);
  let file = "";
  return lines.flatMap((line, at) => {
    if (/^\S+\.\w+$/.test(line)) file = line;
    const groups = /^ +(?<line>\d+):\d+ +(?<kind>error|warning) +(?<text>.+)$/.exec(line)?.groups;
    if (groups === undefined || file === "" || (groups.kind === "warning" && !strict)) return [];
    const text = groups.text ?? "";
    const gap = text.lastIndexOf("  ");
    const message = gap < 0 ? text : text.slice(0, gap);
    const code =
      gap < 0
        ? undefined
        : text
            .slice(gap)
            .trim()
            .replace(/^\((.+)\)$/, "$1");
    const tool = /\.ya?ml$/.test(file) ? "yamllint" : "eslint";
    return [{ at, failure: { ...toFailure({ file, line: groups.line, code, message }), tool } }];
  });
}

const readEslintLines = readLines(
  /^(?<file>[^\s:][^:]*): line (?<line>\d+), col \d+, Error - (?<message>.*?)(?: \((?<code>[\w@/-]+)\))?$/,
  /^(?<file>[^\s:][^:]*):(?<line>\d+):\d+: (?<message>.*) \[Error(?:\/(?<code>[^\]]+))?\]$/,
);

const readBiome: FailureReader = (lines) => {
  const strict = warningsCount(lines);
  return readBlocks(
    /^(?<file>[^\s:]+)(?::(?<line>\d+):\d+)? (?<code>[a-z]+(?:\/\S+)?) [A-Z ]*━+$/,
    ({ body }) => {
      const first = body.find((line) => line.trim() !== "") ?? "";
      const [, mark, message] = /^ +([×✖!]) (.+)$/.exec(first) ?? [];
      return message === undefined || (mark === "!" && !strict) ? undefined : { message };
    },
    /^\S/,
  )(lines);
};

/** Ruff and flake8 on one line, and ruff with source lines. */
const readPythonLint: FailureReader = (lines) => [
  ...readLines(
    /^(?<file>[^\s:]+\.pyi?):(?<line>\d+):\d+: (?<code>[A-Z]+\d+|[a-z]+-[a-z-]+:?) (?:\[\*\] )?(?<message>.+)$/,
  )(lines),
  ...readBlocks(
    /^(?<code>[A-Z]+\d+|[a-z]+-[a-z-]+(?=:)|unformatted(?=:)):? (?:\[\*\] )?(?<message>.+)$/,
    ({ body }) => /^ *--> (?<file>[^:]+):(?<line>\d+):\d+$/.exec(body[0] ?? "")?.groups,
    /^$/,
  )(lines),
];

/** Annotations that several tools print on GitHub Actions. */
const readWorkflowErrors: FailureReader = (lines) =>
  lines.flatMap((line, at) => {
    const [, list, message] = /^::error (.*?)::(.*)$/.exec(line) ?? [];
    if (list === undefined) return [];
    const { title: code, ...known } = Object.fromEntries(list.split(",").map((part) => part.split("=")));
    return [{ at, failure: toFailure({ ...known, code, message }) }];
  });

export const linterReaders: FailureReader[] = [
  readEslint,
  readersOf("eslint", readEslintLines),
  readersOf("biome", readBiome),
  readPythonLint,
  readWorkflowErrors,
];
