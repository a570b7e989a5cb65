import {
  type FailureReader,
  findBlocks,
  firstMessage,
  listGroups,
  readBlocks,
  readLines,
  textsOf,
  toFailure,
  withCause,
} from "../failure-reader.js";
import { findJavaPlace, findJavascriptPlace } from "../stack-places.js";
import { readTraceback } from "./python-traceback.js";

/** Node shows the place of a syntax or load error above it. */
function placeAbove(lines: readonly string[], at: number) {
  const above = lines.slice(Math.max(0, at - 6), at);
  return listGroups(above, /^(?<file>(?:file:\/\/)?\/[^:]+):(?<line>\d+)(?::\d+)?$/).at(-1);
}

/** Node prints the class of an error, and its code and cause below the stack. */
const readNode = readBlocks(
  /^(?:Uncaught )?(?<code>(?!Rule: |Caused by)[A-Z]\w*)(?: \[(?<id>\w+)\])?: (?<message>.+)$/,
  ({ at, groups: { code = "", id, message = "" }, body }, lines) => {
    const hasStack = body.slice(0, 40).some((line) => /^ {4}at /.test(line));
    const isNamed = /(?:Error|Exception)$/.test(code);
    // A Python exception follows directly below its traceback.
    const isPython = !hasStack && /^ {2}/.test(lines[at - 1] ?? "");
    if (isPython || (!isNamed && !/^ {4}at /.test(body[0] ?? ""))) return undefined;
    const end = body.findIndex((line) => /^ {2}\[cause\]: /.test(line));
    const [, cause] = /\[cause\]: \w+(?: \[\w+\])?: (.+)$/.exec(body[end] ?? "") ?? [];
    const [{ systemCode } = {}] = listGroups(body, /^ {2,4}code: '(?<systemCode>\w+)'/);
    const importer = / imported from (?<file>\S+)$/.exec(message)?.groups;
    const first = firstMessage([message, ...body.slice(0, 3)]);
    return {
      code: code === "Error" ? (id ?? systemCode ?? code) : code,
      message: cause === undefined ? first : `${first} (${cause})`,
      ...(importer ?? placeAbove(lines, at)),
      ...(hasStack && findJavascriptPlace(body)),
    };
  },
  /^Node\.js v/,
);

/** A chain of exceptions is one failure; a syntax error has no heading above its file. */
const readPython: FailureReader = (lines) => {
  const plain = lines.map((line) => line.replace(/^Traceback \(most recent call last\):$/, "Traceback"));
  const starts = plain.flatMap((line, at) => {
    const isSyntax = /^ {2}File "[^"]+", line \d+$/.test(line);
    return line === "Traceback" || isSyntax ? [at] : [];
  });
  return starts.slice(0, 200).flatMap((at, index) => {
    const isContinued = /^(?:The above|During handling)/.test(lines[at - 2] ?? "");
    const next = starts[index + 1] ?? lines.length;
    const isChained = /^(?:The above|During handling)/.test(lines[next - 2] ?? "");
    const groups = isChained ? undefined : readTraceback(lines.slice(at, Math.min(next, at + 400)));
    return groups === undefined || (isContinued && groups.code === undefined)
      ? []
      : [{ at, failure: toFailure(groups) }];
  });
};

/** A message may have more than one line; the innermost cause comes last. */
const readJava = readBlocks(
  /^(?:Exception in thread ".*?" )?(?:[\w$]+\.)+(?<code>[\w$]+)(?:: (?<message>.*))?$/,
  ({ groups, body }) => {
    const start = body.slice(0, 8).findIndex((line) => line.startsWith("\tat "));
    if (start < 0 || body.slice(0, start).some((line) => line.trim() === "")) return undefined;
    const message = [groups.message ?? groups.code ?? "", ...textsOf(body.slice(0, Math.min(start, 1)))].join(
      " ",
    );
    return { message: withCause(message, body), ...findJavaPlace(body) };
  },
  /^$/,
);

const readRustPanic: FailureReader = (lines) =>
  findBlocks(
    lines,
    /^thread '(?<thread>[^']*)' (?:\(\d+\) )?panicked at (?<file>[^\s:]+):(?<line>\d+):\d+:?$/,
  ).map(({ at, groups: { thread, ...place }, body }) => ({
    at,
    failure: toFailure({
      ...place,
      code: "panic",
      ...(thread?.includes("::") && { test: thread }),
      message: body[0],
    }),
  }));

/** Exceptions of Ruby, PHP and Elixir, which put the place on the same line. */
const readScripts = readLines(
  /^(?<file>[^\s:]+\.(?:rb|rake|ru)|-e|[^\s:]+\/bin\/[^\s:]+):(?<line>\d+):in [`'].*?': (?<message>.+) \((?<code>[A-Z][\w:]*)\)$/,
  /^(?<file>[^\s:]+\.rb):(?<line>\d+): (?<message>syntax errors?.*)$/,
  /^(?:PHP )?(?:Fatal|Parse|Recoverable fatal|Compile) error: +(?:Uncaught (?<code>[A-Za-z_][\w\\]*): )?(?<message>.+?) in (?<file>\S+?)(?::| on line )(?<line>\d+)$/,
  /^\*\* \((?<code>(?!Postgrex|MyXQL|DBConnection)\w[\w.]*)\) (?:(?<file>\S+\.exs?):(?<line>\d+):(?:\d+:)? )?(?<message>.+)$/,
);

/** The exceptions of Laravel's console: class, message and place. */
const readLaravel = readBlocks(/^ {2,3}(?<code>[A-Z]\w*(?:\\\w+)+) *$/, ({ body }) => {
  const [message] = textsOf(body);
  const [place] = listGroups(body.slice(0, 12), /^ {2}at (?<file>\S+\.php):(?<line>\d+)$/);
  return place === undefined ? undefined : { ...place, message };
});

/** Symfony's and Laravel's console draws exceptions with empty lines around them. */
const readSymfony = readBlocks(/^ *In (?<file>\S+\.php) line (?<line>\d+):\s*$/, ({ body }) => {
  const [message] = textsOf(body);
  return message === undefined ? undefined : { message };
});

const readCrash = readLines(
  /^(?:\S+: )?(?<file>\S+\.\w+):(?<line>\d+): .*(?<message>Assertion `.*' failed)\.$/,
);

export const traceReaders: FailureReader[] = [
  readNode,
  readPython,
  readJava,
  readRustPanic,
  readScripts,
  readLaravel,
  readSymfony,
  readCrash,
];
