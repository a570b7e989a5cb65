/** Lines of several programs in one log, each behind the name of its program. */
interface NamedLog {
  line: RegExp;
  /** Names that are no programs. */
  except?: RegExp;
  /** The log has such a line if the names are of this kind. */
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

/** The lines as the programs inside a log of CI, of containers or of several packages printed them. */
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

/** What one program printed stays together. */
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

/** Most lines begin with a name, and no name stands there only once. */
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
