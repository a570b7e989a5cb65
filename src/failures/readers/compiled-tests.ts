import {
  type FailureReader,
  type FoundFailure,
  listGroups,
  readBlocks,
  readersOf,
  readLines,
  textsOf,
  toFailure,
  valueBehind,
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
    const [, told] = /^\s+\t(?:Error:)?\s+\t(.*)$/.exec(line) ?? [];
    if (told !== undefined && last !== undefined && /^\s+\t(?:Error:| {6,}\t)/.test(line))
      last.message = `${last.message} ${told.trim().replace(/\s+/g, " ")}`.trim().slice(0, maxMessage);
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
  /^\[ERROR\] +(?!Tests run:)(?<name>[\w$.]+)(?:\[.*\])?(?:\((?<owner>[\w.$]+)\))? .*Time elapsed: .*<<< (?:FAILURE|ERROR)!/,
  ({ groups: { name, owner }, body }) => ({
    test: owner === undefined ? name : `${owner}.${name}`,
    message: withJavaCause(javaMessage(body), body),
    ...findJavaPlace(body),
  }),
  /^$|^\[/,
);

const readSurefireSummary = readLines(
  /^\[ERROR\] +(?<test>\w+(?:\.\w+)+):(?<line>\d+) (?:» )?(?<message>.+)$/,
);

function readMavenTests(lines: readonly string[]): FoundFailure[] {
  const found = readSurefire(lines);
  return found.length > 0 ? found : readSurefireSummary(lines);
}

const readGradleTests = readBlocks(
  /^(?<owner>[\w.$]+) > (?<name>.+) FAILED$/,
  ({ groups: { owner, name }, body }) => ({
    ...(/ at (?<file>[\w$]+\.\w+):(?<line>\d+)$/.exec(body[0] ?? "")?.groups ?? findJavaPlace(body)),
    test: `${owner}.${name}`,
    message: withJavaCause(javaMessage(body), body),
  }),
  /^\S/,
);

/** Ginkgo's message is between the verdict and the place. */
const readGinkgo = readBlocks(
  /^• \[(?:FAILED|PANICKED)\]/,
  ({ body }) => {
    const [test, ...texts] = textsOf(body);
    const start = texts.findIndex((text) => /^\[(?:FAILED|PANICKED)\]/.test(text));
    const end = texts.findIndex((text) => /^In \[.+\] at: /.test(text));
    const place = / at: (?<file>\S+):(?<line>\d+)/.exec(texts[end] ?? "")?.groups;
    if (start < 0 || place === undefined) return undefined;
    const message = texts
      .slice(start, end)
      .join(" ")
      .replace(/^\[\w+\] /, "");
    return { ...place, test, message: message.slice(0, maxMessage) };
  },
  /^-{10,}$/,
);

/** GoogleTest names the test above, and shows the values below the place. */
const readGoogleTest: FailureReader = (lines) => {
  let test: string | undefined;
  return lines.flatMap((line, at): FoundFailure[] => {
    const [, name] = /^\[ RUN {6}\] (\S+)$/.exec(line) ?? [];
    test = name ?? test;
    const place = /^(?<file>[^\s:]+):(?<line>\d+): Failure$/.exec(line)?.groups;
    if (place === undefined) return [];
    const rest = lines.slice(at + 1, at + 7);
    const end = rest.findIndex((each) => each.trim() === "" || each.startsWith("["));
    const message = textsOf(end < 0 ? rest : rest.slice(0, end)).join(" ");
    return [{ at, failure: toFailure({ ...place, test, message }) }];
  });
};

/** Dart's and Flutter's compact reporter. */
const readDartTests = readBlocks(
  /^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: (?:(?<file>\S+\.dart): )?(?<test>.+) \[E\]$/,
  ({ body }) => {
    const texts = textsOf(body);
    const [expected, actual] = [valueBehind(texts, "Expected:"), valueBehind(texts, "Actual:")];
    const [place] = listGroups(body, /^ {2}(?<file>\S+\.dart) (?<line>\d+):\d+ /);
    const message = expected && actual ? `expected ${expected}, actual ${actual}` : texts[0];
    return { ...place, message };
  },
  /^\d\d:\d\d \+/,
);

const readScalaTests = readBlocks(/^\[info\] +-? ?(?<test>.+) \*\*\* FAILED \*\*\*$/, ({ body }) => {
  const [, message, file, line] = /^\[info\] +(.+?)(?: \((\S+\.scala):(\d+)\))?$/.exec(body[0] ?? "") ?? [];
  return message === undefined ? undefined : { message, file, line };
});

/** XCTest on both systems, and Swift Testing. */
const readSwift = readLines(
  /^(?<file>\/?[^\s:]+\.swift):(?<line>\d+): error: (?:-\[)?(?<test>[\w.]+[. ]test\w*)\]? : (?<message>.+)$/,
  /^[✘×] Test (?<test>.+?) recorded an issue at (?<file>[^\s:]+\.swift):(?<line>\d+):\d+: (?<message>.+)$/,
);

export const compiledTestReaders: FailureReader[] = [
  readGoTest,
  readGoPanic,
  readCargoTest,
  readMavenTests,
  readGradleTests,
  readersOf("ginkgo", readGinkgo),
  readersOf("swift", readSwift),
  readersOf("googletest", readGoogleTest),
  readersOf("dart", readDartTests),
  readersOf("scalatest", readScalaTests),
];
