import {
  type FailureReader,
  type Groups,
  listGroups,
  readBlocks,
  readersOf,
  readLines,
  textsOf,
  valueBehind,
} from "../failure-reader.js";
import { findJavascriptPlace } from "../stack-places.js";

/** The line above the call log is often only the name of the matcher or a timeout. */
function playwrightMessage(body: readonly string[]): string {
  const texts = textsOf(body);
  const errors = texts.filter((line) =>
    /^(?:\w*Error(?! Context)|Test timeout of|"\w+" hook timeout)\b/.test(line),
  );
  // A test's timeout says less than the call that waited.
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
  /^ {4}\[[^\]]+\] › (?<file>\S+\.[cm]?[jt]sx?):(?<line>\d+):\d+ › (?<test>.+?) *[─=]*$/,
);

const readPlaywright: FailureReader = (lines) => {
  const found = readPlaywrightTests(lines);
  if (found.length > 0) return found;
  const failed = listGroups(lines, /^ {2}(?<count>\d+) failed$/);
  return failed.length === 0 ? [] : readPlaywrightList(lines);
};

export const browserTestReaders: FailureReader[] = [readersOf("playwright", readPlaywright)];
