/** A log of several programs whose lines start with the program's name. */
interface NamedLog {
  line: RegExp;
  /** Names that are not programs. */
  except?: RegExp;
  /** A line that every log with such names has. */
  needs?: RegExp;
}

const levels =
  /^(?:error|err|warn(?:ing)?|info|debug|trace|fatal|notice|stdout|stderr|note|hint|fail(?:ed)?|pass)$/i;

const namedLogs: NamedLog[] = [
  // docker compose: "web-1  | text"
  { line: /^(?<name>[A-Za-z][\w.-]*) *\| ?(?<text>.*)$/, except: levels },
  // turbo: "@shop/web:build: text"
  { line: /^(?<name>(?:@[\w.-]+\/)?[\w.-]+:[a-z][\w:-]*): ?(?<text>.*)$/ },
  // pnpm: "apps/web build: text" and "apps/web build$ command"
  { line: /^(?<name>(?:\.|[\w@.-]+(?:\/[\w@.-]+)+) [a-z][\w:-]*)(?:[:$] ?)(?<text>.*)$/ },
  // concurrently, Playwright, kubectl: "[web] text"; Yarn: "[web]: text"
  { line: /^\[(?<name>[\w@][\w@/.:-]*)\]:? (?<text>.*)$/, except: levels },
  // lerna: "@shop/web: text"
  {
    line: /^(?<name>(?:@[\w.-]+\/)?[a-z][\w.-]*): (?<text>.*)$/,
    except: levels,
    needs: /^lerna (?:info|ERR!|notice) /,
  },
];

const timestamp =
  /^\uFEFF?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?:?|\[\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?\]:?|\[\d\d?:\d\d:\d\d(?:[.,]\d+)?(?: [AP]M)?\]|\d\d:\d\d:\d\d[.,]\d{3}(?: \||:)?) (?:\d\d[OE][ +]|\[\d+\] )?(?:- )?/;
const workflowStep = /^[^\t]{1,200}\t[^\t]{0,200}\t(?=\uFEFF?\d{4}-\d\d-\d\dT)/;
const maxPrefixLength = 500;

/** Removes the prefixes of CI, containers and monorepo tools from the lines. */
export function withoutLogPrefixes(lines: readonly string[]): string[] {
  const plain = lines.map(withoutTime);
  return byProgram(withoutBuildSteps(withoutWorkflowMarks(plain)));
}

function withoutTime(line: string): string {
  const start = line.slice(0, maxPrefixLength);
  const step = workflowStep.exec(start)?.[0].length ?? 0;
  const time = timestamp.exec(step === 0 ? start : start.slice(step))?.[0].length ?? 0;
  const text = line.slice(step + time);
  return text.startsWith("remote: ") ? text.slice("remote: ".length) : text;
}

/** GitHub shows the command and its settings in a group above its output. */
function withoutWorkflowMarks(lines: readonly string[]): string[] {
  let isCommand = false;
  return lines.flatMap((line) => {
    const [, mark = "", text = ""] = /^##\[(\w+)\](.*)$/.exec(line) ?? [];
    if (mark === "group") isCommand = text.startsWith("Run ");
    if (mark === "endgroup") isCommand = false;
    if (mark === "error") return [/error/i.test(text) ? text : `Error: ${text}`];
    return mark !== "" || isCommand ? [] : [line];
  });
}

const buildStep = /^#\d+ (?:\d+\.\d+(?: |$)|(?=ERROR: ))(?<text>.*)$/;
const buildProgress =
  /^#\d+ (?:DONE|CACHED|CANCELED|\[|sha256:|transferring|extracting|resolve |exporting|naming|writing|building|pushing|unpacking|importing|preparing|\.\.\.)/;

/** BuildKit numbers the lines of each step, and repeats the last ones of a failed step below. */
function withoutBuildSteps(lines: readonly string[]): string[] {
  let isExcerpt = false;
  const hasSteps = lines.some((line) => /^#\d+ \d+\.\d+ /.test(line));
  return lines.flatMap((line) => {
    if (/^ > \[.*\].*:$/.test(line)) isExcerpt = true;
    else if (line.startsWith("------")) isExcerpt = false;
    else if (isExcerpt) return hasSteps ? [] : [line.replace(/^\d+\.\d+(?: |$)/, "")];
    const text = buildStep.exec(line)?.groups?.text;
    if (text !== undefined) return [text];
    return buildProgress.test(line) ? [] : [line];
  });
}

const webServer = /^\[WebServer\] /;

/** Groups the lines by program. */
function byProgram(lines: readonly string[]): string[] {
  const log = namedLogs.find((kind) => isWrittenBy(kind, lines));
  if (log === undefined) return lines.map((line) => line.replace(webServer, ""));
  const programs = new Map<string, string[]>();
  for (const line of lines) {
    const { name = "", text = line } = log.line.exec(line)?.groups ?? {};
    const known = programs.get(name);
    if (known === undefined) programs.set(name, [text]);
    else known.push(text);
  }
  return [...programs.values()].flat();
}

/** Whether most lines begin with a name and no name occurs only once. */
function isWrittenBy({ line, except, needs }: NamedLog, lines: readonly string[]): boolean {
  const counts = new Map<string, number>();
  let filled = 0;
  for (const each of lines) {
    if (each.trim() === "") continue;
    filled += 1;
    const name = line.exec(each)?.groups?.name;
    if (name !== undefined && !except?.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const repeated = [...counts.values()].filter((count) => count > 1).reduce((sum, count) => sum + count, 0);
  return (
    repeated > 2 && repeated > filled * 0.6 && (needs === undefined || lines.some((each) => needs.test(each)))
  );
}

/** Progress lines that programs print in any case, often in the middle of other lines. */
const noise = [
  /^\(node:\d+\) .*Warning: /,
  /^\(Use `node --trace-/,
  /^npm (?:warn|WARN|notice|http|info|verb) /,
  /^(?:warning|WARN)\s+deprecated /i,
  /^(?:stderr|stdout) \| \S+/,
  /^\S+:\d+: (?:\w*Deprecation|Pending\w*|Future|User|Resource|Runtime|Syntax)Warning: /,
  /^DEPRECATION(?: WARNING)?\b/,
  /^DEPRECATED: /,
];

// The fields that loggers begin their lines with.
const jsonLog =
  /^\{ ?"(?:level|lvl|severity|time|timestamp|@timestamp|ts|t|msg|message|logger|event|pid|hostname|name)" ?: ?.*\}$/;

export function isLogRecord(line: string): boolean {
  return line.startsWith("{") && jsonLog.test(line);
}

export function withoutLogNoise(lines: readonly string[]): string[] {
  return lines.filter((line) => !isLogRecord(line) && !noise.some((pattern) => pattern.test(line)));
}

/** The summary lines of test runners; `passed` is true if all tests passed. */
const verdicts: { pattern: RegExp; passed: (line: string, next: readonly string[]) => boolean }[] = [
  {
    // vitest counts errors outside of tests on a separate line
    pattern: /^ *Test Files {2}/,
    passed: (line, next) =>
      !line.includes("failed") && !next.slice(0, 2).some((row) => /^ *Errors {2}/.test(row)),
  },
  { pattern: /^Test Suites: /, passed: (line) => !line.includes("failed") },
  {
    pattern: /^(?:=+ )?\d+ (?:passed|failed|error|skipped).* in [\d.]+s/,
    passed: (line) => !/failed|error/.test(line),
  },
  { pattern: /^Ran \d+ tests? in /, passed: (_, next) => next[1]?.startsWith("OK") === true },
  { pattern: /^(?:ok {2}|FAIL)\t/, passed: (line) => line.startsWith("ok") },
  { pattern: /^test result: /, passed: (line) => line.startsWith("test result: ok") },
  {
    pattern: /^ {2}\d+ passing \(/,
    passed: (_, next) => !next.slice(0, 2).some((row) => /^ {2}\d+ failing$/.test(row)),
  },
  { pattern: /^[#ℹ] fail \d+$/, passed: (line, next) => line.endsWith(" 0") && / 0$/.test(next[0] ?? "") },
  { pattern: /BUILD (?:SUCCESS|FAIL)/, passed: (line) => line.includes("SUCCESS") },
];

/** The first line of a script or test run: lines above belong to something else. */
const beginning =
  /^(?:> \S+@\S+ \S+| RUN {2}v\d|=+ test session starts =+$|TAP version \d|running \d+ tests?$)/;

/** For each line of an output, whether it belongs to tests that passed; such tests may print errors on purpose. */
export function markPassed(lines: readonly string[]): boolean[] {
  const marks = new Array<boolean>(lines.length).fill(false);
  let start = 0;
  for (const [at, line] of lines.entries()) {
    if (beginning.test(line)) start = at;
    const verdict = verdicts.find(({ pattern }) => pattern.test(line));
    if (verdict === undefined) continue;
    if (verdict.passed(line, lines.slice(at + 1, at + 4))) marks.fill(true, start, at);
    start = at + 1;
  }
  return marks;
}
