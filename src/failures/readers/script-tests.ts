import {
  type FailureReader,
  findBlocks,
  type Groups,
  listGroups,
  readBlocks,
  readersOf,
  textsOf,
  toFailure,
  valueBehind,
} from "../failure-reader.js";

const rubyFrame =
  /^\s*(?:# )?(?:\.\/)?(?<file>(?!\/usr\/|\/var\/lib\/gems)[^\s:]+\.rb):(?<line>\d+)(?::in .*)?$/;

function findRubyPlace(body: readonly string[]): Groups {
  for (const line of body) {
    const place = rubyFrame.exec(line)?.groups;
    if (place !== undefined && !place.file?.includes("/gems/")) return { ...place };
  }
  return {};
}

/** Below the failing line comes either an exception, or what was expected and got. */
function rspecMessage(body: readonly string[]): string | undefined {
  const texts = textsOf(body);
  const at = texts.findIndex((line) => line.startsWith("Failure/Error:"));
  if (at < 0) return undefined;
  const [source = "", ...rest] = texts.slice(at);
  const thrown = rest.findIndex((line) => /^[A-Z]\w*(?:::\w+)*:$/.test(line));
  if (thrown >= 0) return `${rest[thrown]} ${rest[thrown + 1] ?? ""}`.trim();
  const [expected, got] = [valueBehind(rest, "expected:"), valueBehind(rest, "got:")];
  if (expected !== undefined && got !== undefined) return `expected ${expected}, got ${got}`;
  return rest.find((line) => !line.startsWith("# ")) ?? source;
}

/** Pending tests are listed with the failures that are expected of them. */
const readRspec: FailureReader = (lines) => {
  const start = lines.indexOf("Failures:");
  const listed = start < 0 ? [] : lines.slice(start);
  const tests = findBlocks(listed, /^ {2}\d+\) (?<test>.+)$/, /^(?:Finished in|Failed examples:|Pending:)/);
  const files = findBlocks(
    lines,
    /^An error occurred while loading (?<file>\S+?)\.(?: - .*)?$/,
    /^Finished in/,
  );
  return [...tests.map((block) => ({ ...block, at: start + block.at })), ...files].flatMap(
    ({ at, groups, body }) => {
      const message = rspecMessage(body);
      if (message === undefined) return [];
      return [{ at, failure: toFailure({ ...groups, ...findRubyPlace(body), message }) }];
    },
  );
};

/** Rails prints each failure when it happens, minitest alone at the end. */
const readMinitest = readBlocks(
  /^ *(?:\d+\) )?(?:Failure|Error|Minitest::UnexpectedError):$/,
  ({ body }) => {
    const [, test, file, line] = /^(\S+#\S.*?)(?: \[([^\]]+):(\d+)\])?:$/.exec((body[0] ?? "").trim()) ?? [];
    if (test === undefined) return undefined;
    const texts = textsOf(body.slice(1));
    const [first = ""] = texts;
    const actual = texts.find((text) => text.startsWith("Actual: "))?.slice("Actual: ".length);
    const [, expected] = /^Expected: (.+)$/.exec(first) ?? [];
    const message = expected && actual ? `expected ${expected}, got ${actual}` : first;
    return { test, ...findRubyPlace(body.slice(1)), ...(file && { file, line }), message };
  },
  /^\d+ runs,|^(?:bin\/)?rails test /,
);

const phpFrame = /^(?<file>\/?\S+\.php):(?<line>\d+)$/;

const readPhpunit: FailureReader = (lines) => {
  if (!lines.some((line) => /^There (?:was|were) \d+ (?:failure|error)s?:$/.test(line))) return [];
  const header = /^\d+\) (?<test>[\w\\]+::\S.*)$/;
  return findBlocks(lines, header, /^(?:FAILURES!|ERRORS!|--$|There (?:was|were) \d+)/).flatMap(
    ({ at, groups, body }) => {
      const own = listGroups(body, phpFrame).findLast((place) => !place.file?.includes("/vendor/"));
      const [message] = textsOf(body);
      return message === undefined ? [] : [{ at, failure: toFailure({ ...groups, ...own, message }) }];
    },
  );
};

/** Pest, and Laravel's runner of PHPUnit: the class of an exception stands at the end of the title. */
const readPest = readBlocks(
  /^\s*FAILED {2}(?<test>\S.*? > .+?)(?: {2,}(?<thrown>\w+))?\s*$/,
  ({ groups: { thrown }, body }) => {
    const [place] = listGroups(body, /^\s*at (?<file>\S+\.php):(?<line>\d+)\s*$/);
    const [message = ""] = textsOf(body);
    return { ...place, message: thrown === undefined ? message : `${thrown}: ${message}` };
  },
  /^\s*(?:Tests:|─{10})/,
);

/** The place of the test stands above, the line that failed in the stack. */
const readExUnit = readBlocks(
  /^ {2}\d+\) (?<test>(?:test|doctest|property) .+ \(\S+\))$/,
  ({ body }) => {
    const [top, ...rest] = textsOf(body);
    const declared = /^(?<file>\S+\.exs?):(?<line>\d+)$/.exec(top ?? "")?.groups;
    if (declared === undefined) return undefined;
    const stack = rest.indexOf("stacktrace:");
    const raised = rest
      .slice(stack + 1)
      .map((line) => /^(?<file>[^\s(]\S*\.exs?):(?<line>\d+): /.exec(line)?.groups)
      .find((place) => place !== undefined);
    const [first = ""] = rest;
    const [left, right] = [valueBehind(rest, "left:"), valueBehind(rest, "right:")];
    const message = left && right ? `${first} (left ${left}, right ${right})` : first.replace(/^\*\* /, "");
    return { ...declared, ...(stack >= 0 && raised), message };
  },
  /^Finished in /,
);

export const scriptTestReaders: FailureReader[] = [
  readersOf("rspec", readRspec),
  readersOf("minitest", readMinitest),
  readersOf("phpunit", readPhpunit, readPest),
  readersOf("exunit", readExUnit),
];
