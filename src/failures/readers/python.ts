import {
  type FailureReader,
  type FoundFailure,
  findBlocks,
  type Groups,
  listGroups,
  readBlocks,
  toFailure,
} from "../failure-reader.js";
import { findPytestPlace, findPythonPlace } from "../stack-places.js";

const chained = /^(?:The above exception was the direct cause|During handling of the above exception)/;

/** The last exception of a chain is the one that stopped the program. */
function lastOfChain(body: readonly string[]): readonly string[] {
  return body.slice(body.findLastIndex((line) => chained.test(line)) + 1);
}

/** The exception that caused the last one. */
function causeInChain(body: readonly string[]): readonly string[] {
  const at = body.findLastIndex((line) => chained.test(line));
  return body[at]?.startsWith("The above") ? body.slice(0, at) : [];
}

/** The exception at the end of a traceback, and the project's line that raised it. */
function readTraceback(body: readonly string[]): Groups | undefined {
  const last = lastOfChain(body);
  const frame = last.findLastIndex((line) => /^\s*File "/.test(line));
  const raised = last.slice(frame + 1).find((line) => /^[A-Za-z_][\w.]*(?::|$)/.test(line));
  if (raised === undefined) return undefined;
  const [, code, message] = /^(?:[\w.]*\.)?(\w+)(?:: (.*))?$/.exec(raised) ?? [];
  return { code, message: message ?? raised, ...findPythonPlace(last) };
}

function markedLines(body: readonly string[]): string[] {
  return body.filter((line) => /^E {2}/.test(line)).map((line) => line.slice(1).trim());
}

/** The first line of the last exception. */
function lastRaised(body: readonly string[]): string {
  const end = body.findLastIndex((line) => /^E {2}/.test(line));
  const before = body.slice(0, end + 1).findLastIndex((line) => !/^E {2}/.test(line));
  return (body[before + 1] ?? "").slice(1).trim();
}

/** The lines that pytest marks with E, or a plain traceback with `--tb=native`. */
function readPytestBody(body: readonly string[]): Groups {
  const last = lastOfChain(body);
  const marked = markedLines(last);
  if (marked.length === 0) {
    const { code, message, ...place } = readTraceback(body) ?? {};
    return { ...place, message: code === undefined ? message : `${code}: ${message}` };
  }
  const isSource = marked[0]?.startsWith("File ");
  const raised = isSource ? marked.find((line) => /^[\w.]+: /.test(line)) : marked[0];
  const cause = lastRaised(causeInChain(body));
  const isTold = raised?.includes(cause.replace(/^[\w.]+: /, ""));
  const message = raised && !isTold ? `${raised} (${cause})` : raised;
  return { ...findPytestPlace(last), ...(isSource && findPythonPlace(last)), message };
}

const readPytestBlocks: FailureReader = (lines) => {
  const start = lines.findIndex((line) => /^=+ (?:ERRORS|FAILURES) =+$/.test(line));
  if (start < 0) return [];
  const blocks = findBlocks(lines.slice(start), /^_+ (?<title>[^_ ].*|_\S.*) _+$/, /^=+ .* =+$/);
  return blocks.flatMap(({ at, groups, body }) => {
    const title = groups.title ?? "";
    const [, collected] = /^ERROR collecting (.+)$/.exec(title) ?? [];
    const name = title.replace(/^ERROR at (?:setup|teardown) of /, "");
    const [, path = "", parameters = ""] = /^([^[]*)(.*)$/.exec(name) ?? [];
    const test = collected === undefined ? path.replaceAll(".", "::") + parameters : undefined;
    const known = readPytestBody(body);
    const failure = toFailure({ file: collected, ...known, test });
    return known.message === undefined ? [] : [{ at: start + at, failure }];
  });
};

/** Without tracebacks the summary is left; `--tb=line` lists its places in the same order. */
const readPytestSummary: FailureReader = (lines) => {
  const entry = /^(?<kind>FAILED|ERROR) (?<file>[^\s:]+\.py)(?:::(?<test>.+?))?(?: - (?<message>.*))?$/;
  const places = listGroups(lines, /^(?<file>\/\S+\.py):(?<line>\d+): [^i\s]/);
  const hasAllPlaces =
    places.length === listGroups(lines, entry).filter(({ kind }) => kind === "FAILED").length;
  return findBlocks(lines, entry).map(({ at, groups }) => {
    const place = hasAllPlaces && groups.kind === "FAILED" ? places.shift() : undefined;
    return { at, failure: toFailure({ ...groups, ...place }) };
  });
};

/** The last exception of a traceback whose beginning was cut off, for example by `| tail`. */
const readPytestEnd: FailureReader = (lines) => {
  if (lines.some((line) => /^=+ (?:ERRORS|FAILURES) =+$/.test(line))) return [];
  const at = lines.findLastIndex((line) =>
    /^E {3,}(?:[a-z_]\w*\.)*(?!(?:Expected|Received|Note|Left|Right|Full|Differing)\b)[A-Z](?=\w*[a-z])\w{2,80}: \S/.test(
      line,
    ),
  );
  if (at < 0) return [];
  const { message, ...place } = readPytestBody(lines.slice(0, at + 1));
  return message === undefined ? [] : [{ at, failure: toFailure({ ...place, message }) }];
};

const readPytestProgress: FailureReader = (lines) =>
  lines.flatMap((line, at) => {
    const groups = /^(?<file>[^\s:]+\.py)::(?<test>.+) (?:FAILED|ERROR)(?: +\[ *\d+%\])?$/.exec(line)?.groups;
    return groups === undefined ? [] : [{ at, failure: toFailure(groups) }];
  });

/** The summary adds what the tracebacks lack; a run that was cut short has only the names. */
function readPytest(lines: readonly string[]): FoundFailure[] {
  const found = new Map<string, FoundFailure>();
  const collected = listGroups(lines, /^_+ ERROR collecting (?<file>.+) _+$/).map(({ file }) => file);
  for (const read of [readPytestBlocks, readPytestSummary]) {
    for (const { at, failure } of read(lines)) {
      const known = found.get(failure.test ?? failure.message);
      if (known !== undefined) known.failure = { ...failure, ...known.failure };
      else if (failure.test !== undefined || read === readPytestBlocks || !collected.includes(failure.file))
        found.set(failure.test ?? failure.message, { at, failure });
    }
  }
  const isTold = [...found.values()].some(({ failure: { test } }) => test !== undefined);
  const end = isTold || collected.length > 0 ? [] : readPytestEnd(lines);
  if (end.length > 0) return end;
  return found.size > 0 ? [...found.values()] : readPytestProgress(lines);
}

/** Nothing is collected if a conftest.py cannot be imported. */
const readConftest = readBlocks(
  "pytest",
  /^ImportError while loading conftest '(?<file>[^']+)'\.$/,
  ({ body }) => {
    const [message] = markedLines(body);
    return message === undefined ? undefined : { ...findPytestPlace(body), message };
  },
);

const readUnittest: FailureReader = (lines) =>
  findBlocks(lines, /^(?:ERROR|FAIL): (?<name>\w+) \((?<path>[\w.]+)\)(?<rest>.*)$/, /^={70}$/).flatMap(
    ({ at, groups: { name = "", path = "", rest = "" }, body }) => {
      const known = readTraceback(body);
      const full = path.endsWith(`.${name}`) ? path : `${path}.${name}`;
      if (known === undefined) return [];
      const message = `${known.code}: ${known.message}`;
      return [{ at, failure: toFailure({ ...known, code: undefined, test: `${full}${rest}`, message }) }];
    },
  );

/** A chain of exceptions is one failure; a syntax error has no heading above its file. */
export const readPython: FailureReader = (lines) => {
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

/** Labels what a tool's readers found with the tool's name. */
function of(tool: string, reader: FailureReader): FailureReader {
  return (lines) => reader(lines).map(({ at, failure }) => ({ at, failure: { ...failure, tool } }));
}

export const pythonTestReaders: FailureReader[] = [
  of("pytest", readPytest),
  readConftest,
  of("unittest", readUnittest),
];
