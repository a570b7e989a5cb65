import {
  type FailureReader,
  findBlocks,
  firstMessage,
  type Groups,
  listGroups,
  readBlocks,
  readersOf,
  textsOf,
  toFailure,
  valueBehind,
  withCause,
} from "../failure-reader.js";
import { findJavascriptPlace } from "../stack-places.js";

const rule = /^ *⎯+/;

/** Tests that fail for the same reason are listed together above it. */
const readVitestFailures: FailureReader = (lines) => {
  const header = /^ *FAIL {2}(?:\|?[\w: -]+\|? +)?(?<file>\S+\.\w+)(?: > (?<test>.+)| \[ \S+ \])?$/;
  const blocks = findBlocks(lines, header, rule);
  for (const [index, block] of [...blocks.entries()].toReversed()) {
    const next = blocks[index + 1];
    if (next?.at === block.at + 1) block.body = next.body;
  }
  return blocks.map(({ at, groups, body }) => {
    const message = withCause(firstMessage(body), body);
    return { at, failure: toFailure({ ...groups, ...findJavascriptPlace(body), message }) };
  });
};

const readVitestErrors = readBlocks(
  /^⎯+ (?:Unhandled (?:Rejection|Error|Exception)|Uncaught Exception|Startup Error) ⎯+$/,
  ({ body }) => ({ message: withCause(firstMessage(body), body), ...findJavascriptPlace(body) }),
  rule,
);

/** Expected and received values are more specific than the name of the matcher. */
function jestMessage(body: readonly string[]): string {
  const details = body.indexOf("    Details:");
  if (details >= 0) {
    const below = body.slice(details + 1);
    const thrown = below.find((line) => /^ {4}\w*Error: /.test(line))?.trim();
    return thrown === undefined ? firstMessage(below) : `${thrown} (${firstMessage(body)})`;
  }
  const valueNamed = (name: string) =>
    body.find((line) => line.startsWith(`    ${name}: `))?.slice(name.length + 6);
  const [expected, received] = [valueNamed("Expected"), valueNamed("Received")];
  return expected === undefined || received === undefined
    ? withCause(firstMessage(body).replace(/^thrown: "/, ""), body)
    : `expected ${expected}, received ${received}`;
}

/** Jest names the file above its failures, and shows the line even if the stack does not reach it. */
const readJest: FailureReader = (lines) => {
  const suite = /^FAIL (?<file>\S+\.\w+)(?: \([\d.]+ m?s\))?$/;
  const suites = lines.flatMap((line, at) => {
    const file = suite.exec(line)?.groups?.file;
    return file === undefined ? [] : [{ at, file }];
  });
  const header = /^ {2}● (?!Console$)(?<test>.+)$/;
  return findBlocks(lines, header, /^(?:PASS |FAIL |Test Suites: )/).flatMap(({ at, groups, body }) => {
    const file = suites.findLast((one) => one.at < at)?.file;
    if (file === undefined) return [];
    const [shown] = listGroups(body, /^ +> +(?<line>\d+) \|/);
    const place = findJavascriptPlace(body.filter((line) => !line.includes("node_modules/")));
    const test = groups.test === "Test suite failed to run" ? undefined : groups.test;
    return [{ at, failure: toFailure({ file, ...shown, ...place, test, message: jestMessage(body) }) }];
  });
};

/** Mocha lists its failures at the end, each title on its own line. */
const readMocha: FailureReader = (lines) => {
  const start = lines.findIndex((line) => /^ {2}\d+ failing$/.test(line));
  if (start < 0) return [];
  return findBlocks(lines.slice(start), /^ {2}\d+\) (?<test>.+)$/).map(({ at, groups, body }) => {
    const last = groups.test?.endsWith(":") ? -1 : body.findIndex((line) => line.endsWith(":"));
    const titles = [groups.test ?? "", ...body.slice(0, last + 1).map((line) => line.trim())];
    const rest = body.slice(last + 1);
    const message = withCause(firstMessage(rest), rest);
    const named = /\((?<file>\/[^()]+)\)$/.exec(message)?.groups;
    const test = titles.join(" > ").replace(/:$/, "");
    return { at: start + at, failure: toFailure({ ...named, ...findJavascriptPlace(rest), test, message }) };
  });
};

/** A file that cannot be loaded is only reported as failed; the reason is printed above. */
function reasonAbove(lines: readonly string[], at: number): Groups {
  const before = lines.slice(Math.max(0, at - 80), at);
  const found = before.findLast((line) => /^(?:# )?\w*Error(?: \[\w+\])?: ./.test(line));
  return found === undefined ? {} : { message: found.replace(/^# /, "") };
}

function valueIn(body: readonly string[], key: string): string | undefined {
  const at = body.findIndex((line) => line.trimStart().startsWith(`${key}:`));
  if (at < 0) return undefined;
  const value = (body[at] ?? "")
    .trimStart()
    .slice(key.length + 1)
    .trim();
  return value.startsWith("|") ? firstMessage(body.slice(at + 1)) : value.replace(/^['"]|['"]$/g, "");
}

const isFile = (name: string) => /^\S+\.[cm]?[jt]sx?$/.test(name);

/** Subtests are named with their parent tests, which have no failure of their own. */
const readTap: FailureReader = (lines) => {
  const around: string[] = [];
  const names = lines.map((line) => {
    const [, indent = "", name = ""] = /^( *)(?:# Subtest: |not ok \d+ - )(.+)$/.exec(line) ?? [];
    if (name === "") return "";
    around.length = Math.floor(indent.length / 4);
    around.push(name.replace(/ # .*$/, ""));
    return around.filter((part) => part !== undefined && !isFile(part)).join(" > ");
  });
  const blocks = findBlocks(lines, /^ *not ok \d+ - (?<test>.+)$/, /^ *\.\.\.$/);
  return blocks.flatMap(({ at, groups, body }) => {
    const isSkipped = / # (?:TODO|SKIP)\b| \{$/i.test(groups.test ?? "");
    if (isSkipped || valueIn(body, "failureType") === "subtestsFailed") return [];
    const stack = body.slice(body.findIndex((line) => /^ *(?:stack|at):/.test(line)) + 1 || body.length);
    const [, file, line] =
      /^(.+):(\d+):\d+$/.exec(valueIn(body, "at") ?? valueIn(body, "location") ?? "") ?? [];
    const message = valueIn(body, "message") ?? (valueIn(body, "error") || "failed");
    const place = { file, line, ...findJavascriptPlace(stack) };
    const reason = message === "test failed" ? reasonAbove(lines, at) : {};
    return [{ at, failure: toFailure({ test: names[at], ...place, message, ...reason }) }];
  });
};

/** Node's own reporter lists its failures at the end, without their suites. */
const readNodeSpec: FailureReader = (lines) => {
  const around: string[] = [];
  const fullNames = new Map<string, string>();
  for (const line of lines) {
    const [, indent = "", mark = "", name = ""] = /^( *)([▶✖]) (.+)$/.exec(line) ?? [];
    if (mark === "") continue;
    around.length = Math.min(around.length, Math.floor(indent.length / 2));
    if (mark === "▶") around.push(name);
    else if (indent !== "") fullNames.set(name, [...around, name].join(" > "));
  }
  const header = /^test at (?<file>.+):(?<line>\d+):\d+$/;
  return findBlocks(lines, header).flatMap(({ at, groups, body }) => {
    const [title = "", ...rest] = body;
    const name = title.replace(/^✖ /, "");
    if (/ # (?:TODO|SKIP)\b/.test(name)) return [];
    const message = firstMessage(rest).replace(/^'(.*)'$/, "$1");
    const test = (fullNames.get(name) ?? name).replace(/ \([\d.]+ms\)$/, "");
    const first = lines.indexOf(title);
    const known = isFile(test)
      ? { ...reasonAbove(lines, first), test: undefined }
      : { ...findJavascriptPlace(rest), test };
    return [{ at, failure: toFailure({ ...groups, message, ...known }) }];
  });
};

/** Bun prints the error above the name of its test. */
const readBun: FailureReader = (lines) =>
  lines.flatMap((line, at) => {
    const test = /^(?:✗|\(fail\)) (.+?) \[[\d.]+m?s\]$/.exec(line)?.[1];
    if (test === undefined) return [];
    const above = lines.slice(Math.max(0, at - 60), at);
    const start = above.findLastIndex((each) => /^(?:error|\w*Error): /.test(each));
    const body = start < 0 ? [] : above.slice(start);
    const [expected, received] = ["Expected:", "Received:"].map((label) => valueBehind(body, label));
    const message = expected && received ? `expected ${expected}, received ${received}` : body[0];
    return [{ at, failure: toFailure({ test, ...findJavascriptPlace(body), message }) }];
  });

const readDeno = readBlocks(
  /^(?<test>.+) => (?<file>\S+):(?<line>\d+):\d+$/,
  ({ body }) => {
    const [, message] = /^error: (.+)$/.exec(body[0] ?? "") ?? [];
    return message === undefined ? undefined : { ...findJavascriptPlace(body), message };
  },
  /^ FAILURES $/,
);

const readJasmine = readBlocks(
  /^\d+\) (?<test>.+)$/,
  ({ body }) => {
    const [label, message] = textsOf(body);
    return label === "Message:" && message !== undefined
      ? { message, ...findJavascriptPlace(body) }
      : undefined;
  },
  /^\d+ specs?, /,
);

const readKarma = readBlocks(
  /^\S.* \([^)]*\) (?!.*Executed \d)(?<test>.+) FAILED$/,
  ({ body }) => {
    const [message] = textsOf(body);
    return body[0]?.startsWith("\t") ? { message, ...findJavascriptPlace(body) } : undefined;
  },
  /^\S/,
);

const readCucumber = readBlocks(/^\d+\) Scenario: (?<test>.+?) # (?<file>\S+):(?<line>\d+)$/, ({ body }) => {
  const texts = textsOf(body);
  const failed = texts.findIndex((text) => /^[✖×] /.test(text));
  return failed < 0 ? undefined : { message: texts[failed + 1] };
});

export const javascriptTestReaders: FailureReader[] = [
  readersOf("vitest", readVitestFailures, readVitestErrors),
  readersOf("jest", readJest),
  readersOf("mocha", readMocha),
  readersOf("bun", readBun),
  readersOf("deno", readDeno),
  readersOf("jasmine", readJasmine, readKarma),
  readersOf("cucumber", readCucumber),
  readTap,
  readNodeSpec,
];
