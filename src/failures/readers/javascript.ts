import {
  comparison,
  type FailureReader,
  findBlocks,
  firstMessage,
  type Groups,
  listGroups,
  readBlocks,
  readLines,
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
    return { at, failure: toFailure({ ...groups, ...findJavascriptPlace(body), message, tool: "vitest" }) };
  });
};

const readVitestErrors = readBlocks(
  "vitest",
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
  const values = comparison(
    body.filter((line) => /^ {4}(?:Expected|Received): /.test(line)).map((line) => line.trim()),
  );
  return values ?? withCause(firstMessage(body).replace(/^thrown: "/, ""), body);
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
    return [
      {
        at,
        failure: toFailure({ file, ...shown, ...place, test, message: jestMessage(body), tool: "jest" }),
      },
    ];
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
    return {
      at: start + at,
      failure: toFailure({ ...named, ...findJavascriptPlace(rest), test, message, tool: "mocha" }),
    };
  });
};

/** A file that cannot be loaded is only reported as failed; the reason is above. */
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
    const message = comparison(textsOf(body)) ?? body[0];
    return [{ at, failure: toFailure({ test, ...findJavascriptPlace(body), message, tool: "bun" }) }];
  });

/** The line above the call log is often only the name of the matcher or a timeout. */
function playwrightMessage(body: readonly string[]): string {
  const texts = textsOf(body);
  const errors = texts.filter((line) =>
    /^(?:\w*Error(?! Context)|Test timeout of|"\w+" hook timeout)\b/.test(line),
  );
  // A test's timeout says less than the call it waited for.
  const first =
    errors.find((line) => !/^(?:Test timeout of|"\w+" hook)/.test(line)) ?? errors[0] ?? texts[0] ?? "";
  const expected = valueBehind(texts, "Expected:", "Expected string:", "Expected pattern:");
  const received = valueBehind(texts, "Received:", "Received string:");
  const details = [
    valueBehind(texts, "Locator:", "- waiting for "),
    expected && `expected ${expected}`,
    received && `received ${received}`,
    valueBehind(texts, "[cause]:"),
  ].filter((part) => part && !first.includes(part));
  return details.length === 0
    ? first.replace(/:$/, "")
    : `${first.replace(/ \/\/ .*$/, "")} (${details.join(", ")})`;
}

/** Each test names its place; the error's own is nearer to the cause. */
const readPlaywrightTests = readBlocks(
  "playwright",
  /^ {2}\d+\) (?:\[[^\]]+\] › )?(?<file>\S+\.[cm]?[jt]sx?):(?<line>\d+):\d+ › (?<test>.+?)(?: [─=]+)?$/,
  ({ groups, body }): Groups => {
    const retry = body.findIndex((line) => /^ {4}Retry #\d+/.test(line));
    const first = retry < 0 ? body : body.slice(0, retry);
    const place = findJavascriptPlace(first.filter((line) => !line.includes("node_modules/")));
    return {
      test: groups.test?.replaceAll(" › ", " > "),
      ...(place.file?.endsWith(groups.file ?? "") && { line: place.line }),
      message: playwrightMessage(first),
    };
  },
  /^ {2}\d+ (?:failed|flaky|passed|skipped|interrupted|did not run)|^\[\d+\/\d+\]/,
);

/** The list at the end, when the details above it are gone. */
const readPlaywrightList = readLines(
  "playwright",
  /^ {4}\[[^\]]+\] › (?<file>\S+\.[cm]?[jt]sx?):(?<line>\d+):\d+ › (?<test>.+?) *[─=]*$/,
);

const readPlaywright: FailureReader = (lines) => {
  const found = readPlaywrightTests(lines);
  if (found.length > 0) return found;
  return lines.some((line) => /^ {2}\d+ failed$/.test(line)) ? readPlaywrightList(lines) : [];
};

/** Node shows the place of a syntax or load error above it. */
function placeAbove(lines: readonly string[], at: number) {
  const above = lines.slice(Math.max(0, at - 6), at);
  return listGroups(above, /^(?<file>(?:file:\/\/)?\/[^:]+):(?<line>\d+)(?::\d+)?$/).at(-1);
}

/** Node prints the class of an error, and its code and cause below the stack. */
export const readNode = readBlocks(
  "",
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

export const javascriptTestReaders: FailureReader[] = [
  readVitestFailures,
  readVitestErrors,
  readJest,
  readMocha,
  readBun,
  readPlaywright,
  readTap,
  readNodeSpec,
];
