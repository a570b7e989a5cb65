import {
  type FailureReader,
  listGroups,
  readBlocks,
  readersOf,
  readLines,
  textsOf,
} from "../failure-reader.js";

const readTypescript = readLines(
  /^(?<file>[^\s(][^(]*)\((?<line>\d+),\d+\): error (?<code>TS\d+): (?<message>.+)$/,
  /^(?:Error: )?(?<file>[^\s:][^:]*):(?<line>\d+):\d+ - error (?<code>TS-?\d+|NG\d+): (?<message>.+)$/,
  /^error (?<code>TS\d+): (?<message>.+)$/,
);

/** gcc, clang, javac, mypy and rustc's short form; some end the line with a code in brackets. */
const readPlainErrors: FailureReader = (lines) =>
  readLines(
    /^(?:e: |:\w+(?=\/))?(?<file>(?:[A-Za-z]:)?[^\s:][^:]*):(?<line>\d+):(?:\d+:)? (?:fatal )?error(?:\[(?<code>\w+)\])?: (?!\[GHC-)(?<message>.+)$/,
  )(lines).map(({ at, failure }) => {
    const [, message, code] = /^(.*\S) +\[([\w=+-]+)\]$/.exec(failure.message) ?? [];
    return {
      at,
      failure: message === undefined || code === undefined ? failure : { ...failure, code, message },
    };
  });

/** Clippy names a lint only in its notes. */
const readRust = readBlocks(
  /^error(?:\[(?<code>\w+)\])?: (?<message>.+)$/,
  ({ groups, body }) => {
    const [place] = listGroups(body, /^ *--> (?<file>[^:]+):(?<line>\d+):\d+$/);
    const [{ lint } = {}] = listGroups(body, /rust-clippy\/\S+#(?<lint>\w+)$/);
    return place && { ...place, code: groups.code ?? (lint && `clippy::${lint}`) };
  },
  /^$/,
);

/** Golangci-lint ends a line with the linter. */
const readGo: FailureReader = (lines) =>
  readLines(/^(?:vet: )?(?<file>[^\s:]+\.go):(?<line>\d+):\d+: (?<message>.+)$/)(lines).map(
    ({ at, failure }) => {
      const [, message, code] = /^(.*\S) \(([a-z][a-z0-9]{2,20})\)$/.exec(failure.message) ?? [];
      const told = failure.message.replace(/; to add it:$/, "");
      return { at, failure: message && code ? { ...failure, code, message } : { ...failure, message: told } };
    },
  );

const readKotlin = readLines(
  /^e: (?:file:\/\/)?(?<file>(?:[A-Za-z]:)?[^\s:]+\.kts?): \((?<line>\d+), \d+\): (?<message>.+)$/,
  /^e: (?:file:\/\/)?(?<file>\S+?\.kts?):(?<line>\d+):\d+:? (?!error: )(?<message>.+)$/,
);

/** Elixir shows the source between the message and its place. */
const readElixir = readBlocks(/^ *error: (?<message>.+)$/, ({ body }) => {
  const end = body.findIndex((line) => line.trim() === "");
  const [place] = listGroups(body.slice(0, end < 0 ? 20 : end), /^\s*└─ (?<file>[^\s:]+\.exs?):(?<line>\d+)/);
  return place;
});

/** GHC and sbt put the message below the place. */
const readFunctional: FailureReader = (lines) => [
  ...readBlocks(
    /^(?<file>[^\s:]+\.l?hs):(?<line>\d+):\d+: error:(?: \[(?<code>GHC-\d+)\].*)?$/,
    ({ body }) => {
      const [message] = textsOf(body);
      return message === undefined ? undefined : { message: message.replace(/^• /, "") };
    },
    /^$/,
  )(lines),
  ...readLines(/^\[error\] (?<file>[^\s:]+\.(?:scala|sc|java)):(?<line>\d+):\d+: (?<message>.+)$/)(lines),
];

const readLinker = readLines(
  /^(?:\S*ld: )?(?<file>[^\s:]+\.\w+):(?:(?<line>\d+)|\(\S+\)): (?<message>(?:undefined reference to|multiple definition of) .+)$/,
  /^\S*ld: (?:\S+: )?(?<message>cannot find .+)$/,
  /^(?:ld\.\w+|ld64\.lld|rust-lld): error: (?<message>.+)$/,
  /^(?:cc1(?:plus)?|gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?): (?:fatal )?error: (?!linker command failed)(?<message>.+)$/,
);

/** The paragraph below says what is wrong. */
const readCmake = readBlocks(
  /^CMake Error at (?<file>[^\s:]+):(?<line>\d+)(?: \(\w+\))?:$/,
  ({ body }) => {
    const end = body.findIndex((line, at) => at > 0 && line.trim() === "");
    const message = textsOf(body.slice(0, end < 0 ? 5 : end)).join(" ");
    return message === "" ? undefined : { message };
  },
  /^\S/,
);

const readMaven = readLines(/^\[ERROR\] (?<file>\S+\.\w+):\[(?<line>\d+),\d+\] (?<message>.+)$/);

export const compilerReaders: FailureReader[] = [
  readersOf("tsc", readTypescript),
  readPlainErrors,
  readRust,
  readGo,
  readKotlin,
  readElixir,
  readFunctional,
  readLinker,
  readCmake,
  readMaven,
];
