import {
  type FailureReader,
  type FoundFailure,
  readBlocks,
  readersOf,
  readLines,
  toFailure,
} from "../failure-reader.js";

const readMarkdownlint = readLines(
  /^(?<file>\S.*?):(?<line>\d+)(?::\d+)? (?:error )?(?<code>MD\d{3})(?:\/\S+)? (?<message>.+?)(?: \[Context: .*\])?$/,
);

const readCspell = readLines(
  /^(?<file>\S.*?):(?<line>\d+):\d+ - (?<message>(?:Unknown|Forbidden|Misspelled) word \(.+?\)).*$/,
);

/** Like ESLint's, with the rule in the last column; suggestions do not fail. */
function readVale(lines: readonly string[]): FoundFailure[] {
  let file = "";
  return lines.flatMap((line, at) => {
    const [, name] = /^ (\S+\.\w+)$/.exec(line) ?? [];
    if (name !== undefined) file = name;
    const groups = /^ (?<line>\d+):\d+ +error +(?<message>\S.*?) {2,}(?<code>[A-Z]\w*\.\w+)\s*$/.exec(
      line,
    )?.groups;
    return groups === undefined || file === "" ? [] : [{ at, failure: toFailure({ file, ...groups }) }];
  });
}

/** Sites name the page that has the link. */
const readDeadLinks: FailureReader = (lines) => [
  ...readLines(/^\(!\) (?<message>Found dead link \S+) in file (?<file>\S+)$/)(lines),
  ...readBlocks(
    /^\s*- Broken (?<kind>link|anchor) on source page path = (?<file>\S+):$/,
    ({ groups: { kind }, body }) => {
      const [, target] = /^\s*-> linking to (\S+)/.exec(body[0] ?? "") ?? [];
      return target === undefined ? undefined : { message: `Broken ${kind} to ${target}` };
    },
    /^\s*$/,
  )(lines),
];

const readRubocop = readLines(
  /^(?<file>[^\s:]+):(?<line>\d+):\d+: [CWEFRI]: (?:\[Correctable\] )?(?<code>[A-Z]\w*(?:\/\w+)+): (?<message>.+)$/,
);

/** The findings point at the source line above them. */
const readShellcheck: FailureReader = (lines) => [
  ...readLines(
    /^(?<file>[^\s:]+):(?<line>\d+):\d+: (?:error|warning|note|info|style): (?<message>.+) \[(?<code>SC\d{4})\]$/,
  )(lines),
  ...readBlocks(
    /^In (?<file>\S+) line (?<line>\d+):$/,
    ({ body }) => {
      for (const line of body) {
        const groups = /^\s*\^-*\^? (?<code>SC\d{4})(?: \(\w+\))?: (?<message>.+)$/.exec(line)?.groups;
        if (groups !== undefined) return groups;
      }
      return undefined;
    },
    /^For more information:$/,
  )(lines),
];

function readStylelint(lines: readonly string[]): FoundFailure[] {
  let file = "";
  return lines.flatMap((line, at) => {
    if (/^\S+\.\w+$/.test(line)) file = line;
    const groups = /^ +(?<line>\d+):\d+ +[✖×] +(?<message>\S.*?) {2,}(?<code>[\w@/-]+)$/.exec(line)?.groups;
    return groups === undefined || file === "" ? [] : [{ at, failure: toFailure({ file, ...groups }) }];
  });
}

const readPrettier: FailureReader = (lines) => [
  ...readLines(/^\[error\] (?<file>[^\s:]+\.\w+): (?<message>\w*Error: .+?)(?: \((?<line>\d+):\d+\))?$/)(
    lines,
  ),
  ...(lines.some((line) => /^\[warn\] Code style issues (?:found|were detected)/.test(line))
    ? readLines(/^\[warn\] (?<file>[^\s:]+\.\w+)$/)(lines).map(({ at, failure }) => ({
        at,
        failure: { ...failure, message: "Code style issues found" },
      }))
    : []),
];

/** The table of PHPStan: a file, then its lines with their errors. */
function readPhpstan(lines: readonly string[]): FoundFailure[] {
  let file = "";
  return lines.flatMap((line, at) => {
    const [, name] = /^ {2}Line {2,}(\S+\.php)\s*$/.exec(line) ?? [];
    if (name !== undefined) file = name;
    if (/^\s*$/.test(line)) file = "";
    const groups = /^ {2,3}(?<line>\d+) {2,}(?<message>\S.*?)\s*$/.exec(line)?.groups;
    return groups === undefined || file === "" ? [] : [{ at, failure: toFailure({ file, ...groups }) }];
  });
}

const readDart = readLines(
  /^\s*error [•-] (?<message>.+?) [•-] (?<file>[^\s:]+):(?<line>\d+):\d+ [•-] (?<code>\w+)$/,
  /^(?<file>[^\s:]+\.dart):(?<line>\d+):\d+: Error: (?<message>.+)$/,
);

const readDetekt = readLines(
  /^\s+(?<code>[A-Z]\w+) - \[(?<message>[^\]]+)\] at (?<file>[^\s:]+):(?<line>\d+):\d+/,
);

const readBandit = readBlocks(
  /^>> Issue: \[(?<code>B\d{3})(?::\w+)?\] (?<message>.+)$/,
  ({ body }) =>
    /^\s+Location: (?<file>[^\s:]+):(?<line>\d+)/.exec(body.find((line) => /^\s+Location: /.test(line)) ?? "")
      ?.groups,
);

function readSqlfluff(lines: readonly string[]): FoundFailure[] {
  let file = "";
  return lines.flatMap((line, at) => {
    const [, name] = /^== \[(\S+)\] FAIL$/.exec(line) ?? [];
    if (name !== undefined) file = name;
    const groups = /^L: +(?<line>\d+) \| P: +\d+ \| +(?<code>\w+) \| (?<message>.+)$/.exec(line)?.groups;
    return groups === undefined || file === "" ? [] : [{ at, failure: toFailure({ file, ...groups }) }];
  });
}

/** Formatters that only name the files they would change. */
const readFormatters: FailureReader = (lines) =>
  [
    ...readLines(/^would reformat (?<file>\S+\.\w+)$/)(lines),
    ...readLines(/^Diff in (?<file>\S+?\.rs)(?: at line |:)(?<line>\d+):$/)(lines),
  ].map(({ at, failure }) => ({ at, failure: { ...failure, message: "not formatted" } }));

/** Tests may pass where too little of the code was run. */
const readCoverage = readLines(
  /^(?:ERROR: |FAIL )?(?<message>Required test coverage of .+ not reached\..*)$/,
  /^(?:Jest: )?(?<message>".+" coverage threshold for .+ not met: .+)$/,
  /^(?:ERROR: )?(?<message>Coverage for .+ does not meet .*threshold.*)$/,
  /^(?:ERROR: )?(?<message>Coverage failure: total of .+)$/,
  /^(?<message>(?:Line|Branch|Method) coverage \(.+\) is below the expected minimum coverage .+)$/,
);

export const checkerReaders: FailureReader[] = [
  readersOf("markdownlint", readMarkdownlint),
  readersOf("cspell", readCspell),
  readersOf("vale", readVale),
  readDeadLinks,
  readersOf("rubocop", readRubocop),
  readersOf("shellcheck", readShellcheck),
  readersOf("stylelint", readStylelint),
  readersOf("prettier", readPrettier),
  readersOf("phpstan", readPhpstan),
  readersOf("dart", readDart),
  readersOf("detekt", readDetekt),
  readersOf("bandit", readBandit),
  readersOf("sqlfluff", readSqlfluff),
  readFormatters,
  readCoverage,
];
