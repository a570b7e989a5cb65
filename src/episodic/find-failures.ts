import type { Failure } from "./failure.js";

/** Reads what one kind of tool prints. */
type FailureReader = (text: string) => Failure[];

const maxFailures = 50;

/** The failures in a tool's output, as they come; empty when none is recognised. */
export function findFailures(output: string): Failure[] {
  const text = output.replace(ansiCodes, "").replace(/\r\n?/g, "\n");
  for (const readers of [specificReaders, generalReaders]) {
    const found = readers.flatMap((read) => read(text));
    if (found.length > 0) return found.slice(0, maxFailures);
  }
  return [];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these codes begin with one
const ansiCodes = /\u001b\[[0-9;]*[A-Za-z]/g;

/** A reader of lines that match a pattern with named groups. */
function lines(pattern: RegExp): FailureReader {
  return (text) => [...text.matchAll(pattern)].map(({ groups = {} }) => toFailure(groups));
}

function toFailure({ test, code, file, line, message = "" }: Record<string, string | undefined>): Failure {
  return {
    ...(test && { test: test.trim() }),
    ...(code && { code }),
    ...(file && { file: plainPath(file) }),
    ...(line && { line: Number(line) }),
    message: message.trim(),
  };
}

function plainPath(path: string): string {
  return path.replace(/^file:\/\//, "");
}

/** Adds the place that is named behind each failure and before the next one. */
function withPlaces(pattern: RegExp, place: RegExp): FailureReader {
  return (text) => {
    const matches = [...text.matchAll(pattern)];
    return matches.map((match, index) => {
      const behind = text.slice(match.index + match[0].length, matches[index + 1]?.index);
      const { file, line, message } = place.exec(behind)?.groups ?? {};
      const failure = toFailure({ ...match.groups, message: match.groups?.message ?? message });
      return { ...failure, ...(file && { file: plainPath(file) }), ...(line && { line: Number(line) }) };
    });
  };
}

const readVitest = withPlaces(
  /^ *FAIL {1,2}(?<file>\S+) > (?<test>.+)\n(?<message>.+)$/gm,
  /❯ (?<file>[^\s:]+):(?<line>\d+):\d+/,
);
const readJestPlaces = withPlaces(
  /^ {2}● (?<test>.+ › .+)\n\n\s+(?<message>[^\n]+(?:\n\n\s+Expected: .+\n\s+Received: .+)?)/gm,
  /\(?(?<file>[^\s():]+):(?<line>\d+):\d+\)?$/m,
);

/** What was expected says more than the name of the check. */
function readJest(text: string): Failure[] {
  return readJestPlaces(text).map((failure) => {
    const [, expected, received] = /Expected: (.+)\n\s+Received: (.+)/.exec(failure.message) ?? [];
    return expected === undefined
      ? failure
      : { ...failure, message: `expected ${expected}, received ${received}` };
  });
}

const readTap = withPlaces(
  /^ *not ok \d+ - (?<test>.+)$/gm,
  /location: '(?<file>.+?):(?<line>\d+):\d+'[\s\S]*?error: (?:\|-\n(?<first>\s+.+\n(?:\s*\n)?))?(?<message>.+)/,
);
const readGoTest = withPlaces(
  /^\s*--- FAIL: (?<test>\S+)/gm,
  /(?<file>[^\s:]+\.go):(?<line>\d+): (?<message>.+)/,
);
const readCargoTest = lines(
  /^thread '(?<test>[^']+)'.* panicked at (?<file>[^\s:]+):(?<line>\d+):\d+:?\n(?<message>.+)$/gm,
);

/** Pytest names its failures in a summary and their places above it, in the same order. */
function readPytest(text: string): Failure[] {
  const places = [...text.matchAll(/^(?<file>[^\s:]+\.py):(?<line>\d+): \w+/gm)].map(
    ({ groups }) => groups ?? {},
  );
  const named = [...text.matchAll(/^FAILED (?<file>[^\s:]+)::(?<test>\S+)(?: - (?<message>.*))?$/gm)];
  return named.map(({ groups = {} }, index) =>
    toFailure({ ...groups, ...places[index], test: groups.test, message: groups.message }),
  );
}

function readEslint(text: string): Failure[] {
  return [...text.matchAll(/^(?<file>\S+\.\w+)\n(?<rows>(?: +\d+:\d+ +(?:error|warning) .*\n?)+)/gm)].flatMap(
    ({ groups }) => {
      const rows = (groups?.rows ?? "").matchAll(
        /^ +(?<line>\d+):\d+ +error +(?<message>.+?) {2,}(?<code>\S+)$/gm,
      );
      return [...rows].map((row) => toFailure({ ...row.groups, file: groups?.file }));
    },
  );
}

const specificReaders: FailureReader[] = [
  readVitest,
  readJest,
  readTap,
  readPytest,
  readGoTest,
  readCargoTest,
  readEslint,
  lines(/^error(?:\[(?<code>E\d+)\])?: (?<message>.+)\n *--> (?<file>[^\s:]+):(?<line>\d+):\d+/gm),
  lines(/^(?<file>[^\s(]+)\((?<line>\d+),\d+\): error (?<code>TS\d+): (?<message>.+)$/gm),
  lines(/^(?<file>[^\s:]+):(?<line>\d+):\d+ - error (?<code>TS\d+): (?<message>.+)$/gm),
  lines(/^(?<file>[^\s:]+):(?<line>\d+):(?:\d+:)? (?:fatal )?error: (?<message>.+)$/gm),
  lines(
    /^(?<file>[^\s:]+):(?<line>\d+):\d+ (?<code>(?:lint|assist|parse|format)\S*).*\n\n +[×!✖] (?<message>.+)$/gm,
  ),
  lines(/^\[ERROR\] (?<file>\S+\.java):\[(?<line>\d+),\d+\] (?<message>.+)$/gm),
  lines(/^\[ERROR\] +(?<test>\w+(?:\.\w+)+):(?<line>\d+) (?<message>.+)$/gm),
  lines(/^npm (?:ERR!|error) (?<message>Missing script: .+)$/gm),
];

const generalReaders: FailureReader[] = [
  lines(/^(?:\S+: )?(?:line )?(?:\d+: )?(?<message>[\w./-]+: (?:command )?not found)$/gm),
  withPlaces(
    /^(?<code>\w*(?:Error|Exception|Warning))(?: \[\w+\])?: (?<message>.+)$/gm,
    /\n +at (?:.+ \()?(?<file>(?!node:)[^\s():]+):(?<line>\d+):\d+\)?/,
  ),
  lines(
    /^ *File "(?<file>[^"]+)", line (?<line>\d+).*\n(?: .*\n)*(?<code>\w+(?:Error|Exception)): (?<message>.+)$/gm,
  ),
  lines(/^(?<message>.*\btim(?:ed|e)[ -]?out\b.*)$/gim),
];
