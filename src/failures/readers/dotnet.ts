import {
  type FailureReader,
  type Groups,
  readBlocks,
  readersOf,
  readLines,
  textsOf,
  valueBehind,
} from "../failure-reader.js";

/** The project at the end of the line is where the compiler ran, not where the error is. */
const readBuild = readLines(
  /^\s*(?<file>[^\s(][^(]*\.\w+)\((?<line>\d+)(?:,\d+){0,3}\): error (?<code>(?!TS\d)[A-Z]{2,}\d*): (?<message>.+?)(?: \[[^\]]+proj(?:::[^\]]*)?\])?$/,
  /^\s*(?<file>\S+\.(?:\w+proj|sln|props|targets)) : error (?<code>[A-Z]+\d+): (?<message>.+?)(?: \[[^\]]+\])?$/,
  /^(?:MSBUILD|CSC|NUGET|VBC|FSC|EXEC) *: error (?<code>[A-Z]+\d+): (?<message>.+?)(?: \[[^\]]+\])?$/,
);

const frame = /^\s*at .+ in (?<file>(?:[A-Za-z]:)?[^:]+):line (?<line>\d+)$/;

function findPlace(body: readonly string[]): Groups {
  for (const line of body) {
    const place = frame.exec(line)?.groups;
    if (place !== undefined) return { ...place };
  }
  return {};
}

function messageOf(body: readonly string[]): string {
  const at = body.findIndex((line) => line.trim() === "Error Message:");
  const end = body.findIndex((line) => line.trim() === "Stack Trace:");
  const texts = textsOf(body.slice(at + 1, end < 0 ? undefined : end));
  const expected = valueBehind(texts, "Expected:");
  const actual = valueBehind(texts, "Actual:", "But was:");
  const [first = ""] = texts;
  if (expected === undefined || actual === undefined || first.startsWith("Expected:"))
    return actual === undefined ? first : `expected ${expected}, but was ${actual}`;
  return `${first} (expected ${expected}, actual ${actual})`;
}

/** xUnit, NUnit and MSTest behind `dotnet test`. */
const readTests = readBlocks(
  /^ {0,2}(?:Failed|X) (?<test>[\w.+`<>]+(?:\(.*\))?|[A-Za-z_].*?) \[[<\d][^\]]*m?s\]$/,
  ({ body }) => ({ ...findPlace(body), message: messageOf(body) }),
  /^(?:Failed!|Passed!|Test Run Failed)| {2}(?:Passed|Skipped) /,
);

/** The terminal logger of newer versions. */
const readLoggedTests = readBlocks(
  /^\s*(?<file>\S+\.\w+)\((?<line>\d+)\): error TESTERROR:\s*$/,
  ({ body }) => {
    const [, test, message] = /^\s*(\S.*?) \([\d.]+m?s\): Error Message: (.+)$/.exec(body[0] ?? "") ?? [];
    return message === undefined ? undefined : { test, message };
  },
);

const readUnhandled = readBlocks(
  /^(?:Unhandled exception\. )?(?:\w+\.)+(?<code>\w*Exception)(?: \(0x\w+\))?: (?<message>.+)$/,
  ({ body }) => (/^ {3}at /.test(body[0] ?? "") ? findPlace(body) : undefined),
  /^$/,
);

export const dotnetReaders: FailureReader[] = [
  readersOf("dotnet", readTests, readLoggedTests, readBuild, readUnhandled),
];
