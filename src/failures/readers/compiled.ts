import {
  type FailureReader,
  type FoundFailure,
  findBlocks,
  readBlocks,
  readLines,
  textsOf,
  toFailure,
  withCause,
} from "../failure-reader.js";
import { findGoPlace, findJavaPlace } from "../stack-places.js";

interface GoTest {
  at: number;
  hasFailed: boolean;
  logged: { file: string; line: string; message: string }[];
}

const maxMessage = 300;

// Go prints t.Log and t.Error alike; these words mark an error message.
const errorWording =
  /\b(?:got|want\w*|expect\w*|unexpected|mismatch\w*|should|must|fail\w*|cannot|could not)\b|!=/i;

/** With -v a test's lines come before its verdict, otherwise after it; testify puts its message below the place. */
function listGoTests(lines: readonly string[]): Map<string, GoTest> {
  const tests = new Map<string, GoTest>();
  let current: GoTest | undefined;
  for (const [at, line] of lines.entries()) {
    const [, mark = "", name = ""] =
      /^\s*(=== (?:RUN|CONT|NAME)|--- (?:FAIL|PASS|SKIP):) +(\S+)/.exec(line) ?? [];
    if (name !== "") {
      current = tests.get(name) ?? { at, hasFailed: false, logged: [] };
      if (mark === "--- FAIL:") Object.assign(current, { at, hasFailed: true });
      tests.set(name, current);
      continue;
    }
    const [, file, number, message = ""] = /^\s+(\S+\.go):(\d+): (.*)$/.exec(line) ?? [];
    const last = current?.logged.at(-1);
    const [, detail] = /^\s+\t(?:Error:)?\s+\t(.*)$/.exec(line) ?? [];
    if (detail !== undefined && last !== undefined && /^\s+\t(?:Error:| {6,}\t)/.test(line))
      last.message = `${last.message} ${detail.trim().replace(/\s+/g, " ")}`.trim().slice(0, maxMessage);
    else if (file !== undefined && number !== undefined)
      current?.logged.push({ file, line: number, message });
    else if (/^(?:FAIL|ok|PASS|panic:)/.test(line)) current = undefined;
  }
  return tests;
}

/** A test that failed only because of its subtests or a panic logs nothing itself. */
const readGoTest: FailureReader = (lines) =>
  [...listGoTests(lines)].flatMap(([test, { at, hasFailed, logged }]): FoundFailure[] => {
    const error = logged.find(({ message }) => errorWording.test(message)) ?? logged.at(-1);
    return hasFailed && error !== undefined ? [{ at, failure: toFailure({ test, ...error }) }] : [];
  });

const readGoPanic = readBlocks(
  "",
  /^(?:panic|fatal error): (?<message>.+?)(?: \[recovered\])?$/,
  ({ at, body }, lines) => {
    const [, above] = /^\s*--- FAIL: (\S+)/.exec(lines[at - 1] ?? "") ?? [];
    const [, called] =
      /^\S+\.(Test\w+)\(/.exec(body.find((line) => /^\S+\.Test\w+\(/.test(line)) ?? "") ?? [];
    return body.some((line) => line.startsWith("goroutine "))
      ? { code: "panic", test: above ?? called, ...findGoPlace(body) }
      : undefined;
  },
  /^(?:FAIL\t|exit status)/,
);

/** A test that returned an error, or did not panic when it should have, shows no panic. */
const readCargoTest = readBlocks(
  "",
  /^---- (?<test>\S+)(?: - .+)? stdout ----$/,
  ({ body }) => {
    const at = body.findIndex((line) => /^thread '.*' (?:\(\d+\) )?panicked at /.test(line));
    const place = /panicked at (?<file>[^\s:]+):(?<line>\d+):\d+/.exec(body[at] ?? "")?.groups;
    if (at >= 0) return { ...place, message: body[at + 1] };
    const reason = body.find((line) => /^(?:Error|note): /.test(line)) ?? "failed";
    return {
      ...(/ at (?<file>\S+):(?<line>\d+):\d+$/.exec(reason)?.groups ?? {}),
      message: reason.replace(/^note: /, ""),
    };
  },
  /^failures:$/,
);

function javaMessage(body: readonly string[]): string {
  const thrown =
    body.find((line) => /^\s*(?:[\w$]+\.)+[\w$]+(?:: .*)?(?: at \S+:\d+)?$/.test(line)) ?? "failed";
  return thrown
    .trim()
    .replace(/^(?:[\w$]+\.)+/, "")
    .replace(/ at \S+:\d+$/, "");
}

/** Frameworks wrap the error that matters. */
function withJavaCause(message: string, body: readonly string[]): string {
  return withCause(
    message,
    body.map((line) => line.replace(/ at \S+:-?\d+$/, "")),
  );
}

/** Surefire 2 writes method(class), surefire 3 class.method. */
const readSurefire = readBlocks(
  "",
  /^\[ERROR\] +(?!Tests run:)(?<name>[\w$.]+)(?:\[.*\])?(?:\((?<owner>[\w.$]+)\))? .*Time elapsed: .*<<< (?:FAILURE|ERROR)!/,
  ({ groups: { name, owner }, body }) => ({
    test: owner === undefined ? name : `${owner}.${name}`,
    message: withJavaCause(javaMessage(body), body),
    ...findJavaPlace(body),
  }),
  /^$|^\[/,
);

const readSurefireSummary = readLines(
  "",
  /^\[ERROR\] +(?<test>\w+(?:\.\w+)+):(?<line>\d+) (?:» )?(?<message>.+)$/,
);

function readMavenTests(lines: readonly string[]): FoundFailure[] {
  const found = readSurefire(lines);
  return found.length > 0 ? found : readSurefireSummary(lines);
}

const readGradleTests = readBlocks(
  "",
  /^(?<owner>[\w.$]+) > (?<name>.+) FAILED$/,
  ({ groups: { owner, name }, body }) => ({
    ...(/ at (?<file>[\w$]+\.\w+):(?<line>\d+)$/.exec(body[0] ?? "")?.groups ?? findJavaPlace(body)),
    test: `${owner}.${name}`,
    message: withJavaCause(javaMessage(body), body),
  }),
  /^\S/,
);

/** A message may have more than one line; the innermost cause comes last. */
const readJava = readBlocks(
  "",
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

export const compiledTestReaders: FailureReader[] = [
  readGoTest,
  readGoPanic,
  readCargoTest,
  readMavenTests,
  readGradleTests,
];

export const compiledTraceReaders: FailureReader[] = [readJava, readRustPanic];
