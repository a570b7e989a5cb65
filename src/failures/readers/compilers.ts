import { type FailureReader, listGroups, readBlocks, readLines } from "../failure-reader.js";

const readTypescript = readLines(
  /^(?<file>[^\s(][^(]*)\((?<line>\d+),\d+\): error (?<code>TS\d+): (?<message>.+)$/,
  /^(?<file>[^\s:][^:]*):(?<line>\d+):\d+ - error (?<code>TS\d+): (?<message>.+)$/,
  /^error (?<code>TS\d+): (?<message>.+)$/,
);

/** gcc, clang, javac, mypy and rustc's short form; some end the line with a code in brackets. */
const readPlainErrors: FailureReader = (lines) =>
  readLines(
    /^(?:e: |:\w+(?=\/))?(?<file>(?:[A-Za-z]:)?[^\s:][^:]*):(?<line>\d+):(?:\d+:)? (?:fatal )?error(?:\[(?<code>\w+)\])?: (?<message>.+)$/,
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

const readGo = readLines(/^(?:vet: )?(?<file>[^\s:]+\.go):(?<line>\d+):\d+: (?<message>.+)$/);

const readLinker = readLines(
  /^(?:\S*ld: )?(?<file>[^\s:]+\.\w+):(?:(?<line>\d+)|\(\S+\)): (?<message>(?:undefined reference to|multiple definition of) .+)$/,
  /^\S*ld: (?:\S+: )?(?<message>cannot find .+)$/,
  /^(?:ld\.\w+|ld64\.lld|rust-lld): error: (?<message>.+)$/,
  /^(?:cc1(?:plus)?|gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?): (?:fatal )?error: (?!linker command failed)(?<message>.+)$/,
);

const readMaven = readLines(/^\[ERROR\] (?<file>\S+\.\w+):\[(?<line>\d+),\d+\] (?<message>.+)$/);

export const compilerReaders: FailureReader[] = [
  readTypescript,
  readPlainErrors,
  readRust,
  readGo,
  readLinker,
  readMaven,
];
