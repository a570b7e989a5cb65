import type { Failure } from "./failure.js";

/** Two failures with the same key have the same cause, judged by their texts. */
export interface FailureKey {
  key: string;
  /** It only compares values or names a test, so it does not apply to other tasks. */
  isParticular: boolean;
}

/** The key of a failure: its code and message without paths, lines, test names, values and ids. */
export function failureKey({ code = "", test = "", message }: Failure): FailureKey {
  const system = systemError(`${code} ${message}`);
  if (isSpecificCode(code) && (system === undefined || !/^E[A-Z]+$/.test(code)))
    return { key: joined(code, subjectsOf(code, message)), isParticular: false };
  if (system !== undefined) return { key: system, isParticular: false };
  const template = templateOf(message);
  if (isComparison(template) || (test !== "" && comparesNumbers.test(template)))
    return namedAlone(code, message) ?? { key: joined(test, template), isParticular: true };
  return { key: template, isParticular: false };
}

/** Any count: `expected 3 results, got 2`. */
const comparesNumbers = /\bexpect(?:ed|s)\b.*#.*\b(?:got|received|was|found)\b.*#/;

/** `KeyError: 'DATABASE_URL'`: an exception whose message is only a name. */
function namedAlone(code: string, message: string): FailureKey | undefined {
  const name = /^["'`]?([A-Z][A-Z0-9_]{3,}|[a-z]\w*(?:\.\w+)+)["'`]?$/.exec(
    message.replace(patterns.namesInFront, "").trim(),
  )?.[1];
  return name === undefined ? undefined : { key: joined(code, name), isParticular: false };
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

/** A rule or a numbered error, such as TS2345, MD040 or no-unused-vars; not the generic name of an exception. */
function isSpecificCode(code: string): boolean {
  return (
    /[a-z]/i.test(code) &&
    // One capitalised word names a program, not the problem.
    !/^[A-Z][a-z]+$/.test(code) &&
    !/^(?:error|fatal|panic|warning|fail|failed|rule|test|[\w:.]*(?:Error|Exception|Failure|Invalid))$/i.test(
      code,
    )
  );
}

/** The package that a resolver complains about belongs to the key: each conflict has its own remedy. */
function subjectsOf(code: string, message: string): string {
  if (!/^E(?:RESOLVE|TARGET|404)/.test(code)) return "";
  const packages = message.match(/(?:@[\w.-]+\/)?[a-z][\w.-]*(?=@[\^~\d"'<>=])/gi) ?? [];
  return [...new Set(packages)].slice(-1).join(" ");
}

const notSystemErrors = new Set([
  "ERROR",
  "EXPECTED",
  "EXCEPTION",
  "ERESOLVE",
  "ETARGET",
  "EUSAGE",
  "ELIFECYCLE",
  "EXIT",
  "EXISTS",
  "ENUM",
  "ELSE",
  "END",
  "ESLINT",
  "EBADENGINE",
]);

/** A system error is identified by its name and the port or file concerned. */
function systemError(message: string): string | undefined {
  const found = /\b(E(?:[A-Z]{3,14}))\b/.exec(message)?.[1];
  const isRefused = /connection refused/i.test(message) && /(?::|\bport )\d{2,5}\b/.test(message);
  const name = isRefused ? "ECONNREFUSED" : found;
  if (name === undefined || notSystemErrors.has(name)) return undefined;
  const port = /(?::|\bport )(\d{2,5})\b/.exec(message)?.[1];
  if (port !== undefined) return `${name} port ${port}`;
  const file = /['"`]?(?:[\w@.~-]*[/\\])+([\w@.-]+)['"`]?/.exec(message)?.[1];
  return file === undefined ? joined(name, templateOf(message)) : `${name} ${file}`;
}

const patterns = {
  url: /\b[a-z][a-z+.-]*:\/\/\S+/gi,
  /** An apostrophe inside a word does not begin a quotation; some tools begin one with a backtick and end it with an apostrophe. */
  quoted: /(?<!\w)`[^`'\s]{1,80}'|(?<!\w(?='))(["'`])(?:\\.|(?!\1).){0,300}?\1/g,
  /** Names of exceptions and of the called function, in front of the message. */
  namesInFront:
    /^(?:(?:Uncaught |Unhandled )?(?:[\w.$:]*(?:Error|Exception|Invalid)|(?:[A-Z]\w*(?:::|\.))+\w+|(?:[a-z]\w*\.)+\w+|error)\b(?: \[\w+\])?:\s+(?=\S))+/i,
  /** The missing name, or the one that lacks a member, is what the remedy is about. */
  namesMatter:
    /\b(?:not found\b|no module named|cannot find|not defined|unknown (?:option|command|flag|argument)|has no attribute|is not a function|cannot read propert|no method|(?:Type|Reference|Name|Attribute|Key|NoMethod)Error:)/i,
  simpleName: /^.[@\w.-]+(?:\/[\w.-]+)?.$/,
  statement: /^(?:alter|create|insert|update|delete|select|drop|with|grant)\b.*? - (?=\S)/is,
  fileName:
    /\b[\w.-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|cs|php|exs?|sql|json|ya?ml|toml|tf|md|html|css|scss|sh|txt|lock|xml|csv|ini|cfg|proto)\b/gi,
  path: /(?:^|(?<=[\s(=:,<[]))(?:[A-Za-z]:)?(?:[\w@.~*-]*[/\\])+[\w@.~*-]+(?::\d+)*|\b[\w-]+\.(?:[a-z]{1,4})(?=:\d)/g,
  address:
    /\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b|(?<![\w:])(?:[\da-f]{0,4}:){2,}[\da-f]{1,4}(?::\d+)?(?![\w:])/gi,
  identifier: /\b(?:0x[\da-f]+|[\da-f]{7,}|[\da-f-]{32,})\b/gi,
  /** Names in code: with underscores, dots, colons or capitals inside. */
  names:
    /(?<![\w<])(?::\w+|(?:[A-Za-z_]\w*(?:::|\.))+\w+|\w*[a-z\d]_\w+|[A-Z]\w*[a-z]\w*[A-Z]\w*|[A-Z][A-Z\d]*_[A-Z\d_]+)(?![\w>])/g,
  measured: /[-+]?\d[\d_,.]*(?:\s?(?:ms|s|m|h|[kmgt]?i?b|%)\b)?/gi,
};

/** The message with placeholders for everything that differs between occurrences. */
export function templateOf(message: string): string {
  const {
    address,
    fileName,
    identifier,
    measured,
    names,
    namesInFront,
    namesMatter,
    path,
    quoted,
    simpleName,
    statement,
    url,
  } = patterns;
  return (
    message
      .slice(0, 600)
      .replace(namesInFront, "")
      // A list of findings differs each time.
      .replace(/:\s+(?:1[.)]|[-*•]) .*$/s, "")
      .replace(/\s*\[[^\]]*$|\s*[({][^)}]*$/, "")
      .replace(statement, "")
      .replace(url, "<url>")
      .replace(quoted, (text) =>
        namesMatter.test(message) && simpleName.test(text) ? text.slice(1, -1) : "<value>",
      )
      .replace(path, "<path>")
      .replace(fileName, "<path>")
      .replace(address, "<address>")
      .replace(/\([\w.$]*\)|\{[^{}]*\}|\[[^[\]]*\]/g, "<value>")
      .replace(/\btype [A-Z]\w*(?= (?:is|has|was)\b)/g, "type <name>")
      .replace(names, (found) => (namesMatter.test(message) ? found : "<name>"))
      .replace(identifier, (found) => (/\d/.test(found) ? "<id>" : found))
      // Exit codes above 1 say how a program ended.
      .replace(/\bexit (?:code|status):? (\d+)/gi, (_, code: string) =>
        Number(code) > 2 ? `exit code ${spelt(code)}` : "exit code",
      )
      .replace(measured, "#")
      .replace(/\s+/g, " ")
      .trim()
      .toLowerCase()
      .replace(/^(.{40,}?[.;!?])\s.*$/, "$1")
      .slice(0, keyLength)
  );
}

/** The rest varies or only explains. */
const keyLength = 140;

/** Spells digits as letters, lest they be read as a quantity. */
function spelt(digits: string): string {
  return [...digits].map((digit) => "abcdefghij"[Number(digit)]).join("");
}

const comparing = new Set(
  (
    "a an and are array assert assertion assertionerror be been but called contain contains deep deeply did does equal " +
    "equality equals error exactly expect expected failed false found from got greater has have in instead is left length less " +
    "list match matches matching more not null number object of or property received right same should status strictly " +
    "asserting differ differs failed failure identical instance one string than that the they thrown time times to tobe toequal true truthy falsy type undefined value values was were which with actual"
  ).split(" "),
);

const asserting = new Set(
  "assert assertion expect expected equal equals got received should actual match but".split(" "),
);

/** Whether only the words of an assertion are left: the message consisted of its values. */
function isComparison(template: string): boolean {
  const words = template.replace(/<\w+>/g, " ").match(/[a-z]+/g) ?? [];
  const isAssertion =
    /^assert\b.*(?:[=!<>]=?|\bin\b|\bis\b)/.test(template) ||
    // The wording of Go tests.
    /(?:=|\bgot\b).*\bwant(?:ed|s)?\b|\bwant(?:ed|s)?\b.*\bgot\b/.test(template);
  const isAsserting = words.length === 0 || words.some((word) => asserting.has(word));
  return isAssertion || (isAsserting && words.every((word) => comparing.has(word)));
}
