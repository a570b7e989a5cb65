import { isBareVerdict } from "./bare-verdicts.js";
import type { Failure } from "./failure.js";
import { type Groups, toFailure } from "./failure-reader.js";

const readLines = 40;
const maxFindings = 10;
const maxMessage = 300;

/** What tools put in front of an error. */
const mark =
  /^(?:[✖✗×✘✕⨯❌]\uFE0F?|\(!\)|\[!\]|!!+|E:|ERR!|ERRO\[\d+\]|\[[^\]]{0,60}\b(?:ERROR|CRITICAL|FATAL)\b[^\]]{0,30}\]|(?:[\w.-]{1,30}:? )?(?:\[(?:error|fatal|err|fail(?:ed|ure)?)\]:?|(?:fatal error|error|err|fatal|panic|failed|failure|fail|critical|severe|exception)\b\s*[:!]))\s*/i;
const shout = /^(?:ERROR|FATAL|CRITICAL|FAIL(?:ED)?)\b(?: -)?\s*/;
const markOf = (text: string) => (mark.exec(text) ?? shout.exec(text))?.[0] ?? "";

const wordsOfFailure = new RegExp(
  [
    "errors?|errored|fail(?:s|ed|ure|ures|ing)?|panic\\w*|fatal|crash\\w*|abort\\w*|killed|exception",
    "cannot|can't|couldn't|unable|no such|missing|lacks?|unresolved|unreachable|unavailable|nowhere",
    "unexpected|expected|invalid|illegal|malformed|corrupt\\w*|broken|dead|unknown|undefined|unrecognized|unrecognised|unsupported",
    "denied|refused|rejected|forbidden|unauthori[sz]ed|disallowed|prohibited|blocked|locked",
    "exceed(?:s|ed|ing)?|over (?:the )?(?:budget|limit)|too (?:large|many|long|old|big|slow|deep|few|short|small)|insufficient|no space|out of (?:memory|date|range|bounds|sync|disk)",
    "outdated|stale|bad|wrong|incorrect(?:ly)?|needs|would|unused|pending|crossed|ambiguous|incomplete|uncommitted|dirty|expired|revoked|overflow|insecure|injection|terminated|clash(?:es)?|mismatch\\w*|differs?|conflict\\w*|incompatible|duplicate\\w*|already (?:exists?|in use|locked|taken|running|defined|declared)|drift\\w*",
    "timed out|time[- ]?out|violat\\w*|must|should|required|requires|vulnerab\\w*|leak\\w*|deadlock\\w*|regress\\w*",
    "disagree\\w*|inconsisten\\w*|unsafe|refuse[sd]?|undocumented|unformatted|unsigned|unreadable|not|without|(?:is|are|was|were|does|do|did|has|have|had)n't|never|nothing|below",
  ]
    .map((words) => `\\b(?:${words})\\b`)
    .join("|"),
  "i",
);

/** Counts and totals, which say how much failed, but not what. */
const sums = [
  /^(?:[\w .-]{1,30}: )?(?:found |total:? |in total:? |summary:? |result:? )?(?:\d+|no|one) (?:\w+ ){0,2}(?:errors?|vulnerabilit(?:y|ies)|problems?|warnings?|findings?|issues?|failures?|violations?|offen[cs]es?|tests?|specs?|examples?|suites?|files?|checks?|hooks?|tasks?|steps?|packages?|assertions?|defects?|failed|failing|passed|passing|skipped)(?:\(s\))?\b.{0,120}$/i,
  /\b\d+ (?:failed|failing|passed|passing|skipped|pending|errors?|warnings?)\b.{0,30}[,;|(/].{0,30}\b\d+ \w+/i,
  /^(?:tests?|test suites|test files|summary|snapshots|suites|specs|assertions|errors|warnings|failures|problems|issues|total|duration|time|elapsed|finished|done|completed|ran)\b[^:]{0,20}(?::| in )\s*\d/i,
  /\b(?:issues|errors|problems|failures|warnings) found: \d+/i,
  /\b(?:0|no|zero|without) (?:errors?|failures?|problems?|issues?|warnings?)\b/i,
];

const countedWhat =
  /\b\d+ (?:\w+(?:\(s\))? ){1,2}(?:without|not|lack\w*|missing|need\w*|out of date|outdated|unformatted|differ\w*|outside|exceed\w*|still) (?!(?:errors?|problems?|issues?|warnings?)\b)\w/i;

/** Reports with labelled parts: `Message: …`. */
const labelled = /^(?:message|reason|cause|problem|description|detail)s?\s*:\s+(?=\S)/i;

const hint =
  /^(?:hint|tip|note|help|info|usage|suggestion|see|run|re-?run|try|learn more|for (?:more|further|details|help|a full)|read more|more (?:info|details)|please|if (?:you|this|that|it)|to (?:fix|see|learn|run|update|disable|ignore|resolve|show|get|enable|accept|skip|avoid|debug)|use|you (?:can|may|might|could)|did you|consider|refer|visit|a complete log|check the|make sure|tried|set|add)\b|^(?:details|docs?|documentation):/i;

/** What programs print whether they fail or not. */
const chatter = [
  /^(?:> |\$ |\+ |>>> |= (?:note|help): |[#ℹ] \w+ \d)/,
  /^\d+:\d+ +warning\b/,
  / # (?:TODO|SKIP)\b/,
  /^(?:[✓✔√☑✅]|ok\b|pass(?:ed)?\b|success)/i,
  /^[\u2800-\u28FF⠋◐◓◑◒|/\\-] /,
  /^\[?(?:info|debug|trace|verbose|notice|warn(?:ing)?s?|deprecat\w+)\b/i,
  /^\[\d+\/\d+\]|^\d+\/\d+ |\b\d{1,3}%(?:$| )/,
  /(?:\.{3}|…)$/,
  /^https?:\/\/\S+$/,
  /^[-=*_─━═╌⎯~^#\s]{3,}$/,
];

/** Frames of a stack, and source lines shown below an error. */
const frames = [
  /^(?:at |❯ |from ).*[:(]/,
  /^File ".*", line \d+/,
  /^(?:\d+: 0x|#\d+ |goroutine \d)/,
  /^\S+:\d+(?::\d+)?(?::in .*)?$/,
  /^>?\s*\d+\s*[|│▕]|^[|│╵╷▕>^~]|[;{}]$/,
  /^\S+\.\w+\(\S*:\d+\)$/,
];

/** A checker's finding: place, severity, code and message, as far as given. */
const finding =
  /^(?<file>(?:[A-Za-z]:)?[\w@.~+/\\-]*[./][\w@.~+/\\-]+|[A-Z]\w*file)(?::(?<line>\d+)(?::\d+)?|\((?<row>\d+)(?:,\d+)?\)|,? line (?<number>\d+)):?\s*(?:-\s+)?(?:\[?(?<severity>[Ee]rror|ERROR|[Ww]arning|WARNING|[Ii]nfo|[Nn]ote|[Hh]int|style|[EWIC](?=\b))\]?:?\s+)?(?:[[(]?(?<code>[A-Z][A-Z-]{0,9}\d{1,6}|[@a-z][\w@]*(?:[-/]\w+)+)[\])]?:?\s+)?(?:(?<level>error|warning|info|note|style):?\s+)?(?<message>\S.*)$/;

/** Some checkers name the rule at the end. */
const ruleAtEnd =
  /^(?<message>.*\S)\s+[[(](?<code>[\w@]+(?:[-:/]\w+)+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+)[\])]$/;

// Warnings made the tool fail.
const strictly =
  /\b(?:strict mode|warnings? (?:is |are |being )?treated as errors?|treated as error|too many warnings)\b|--max-warnings\b/i;
const warning = /^\[?warn(?:ing)?\]?\s*[:-]?\s+/i;
const logfmt =
  /^.{0,80}\b(?:level|lvl|severity)="?(?:error|fatal|crit\w*|panic)"?\b.{0,200}?\b(?:msg|message)="(?<message>(?:[^"\\]|\\.)*)".*$/;

/**
 * The cause in the output of a failed program that no reader recognises: its findings, or else the most telling line near the end or an
 * error logged as JSON. May be empty.
 */
export function guessFailures(lines: readonly string[], records: readonly string[]): Failure[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const found = findFindings(filled);
  if (found.length > 0) return found;
  const message =
    findTellingLine(filled.slice(-readLines)) ?? findLoggedError(records) ?? lineAboveMake(filled);
  return message === undefined ? [] : [{ message: message.slice(0, maxMessage), isGuess: true }];
}

/** Make ends with a line about the target; the last output of its command is above. */
function lineAboveMake(lines: readonly string[]): string | undefined {
  const at = lines.findLastIndex((line) => /^g?make(?:\[\d+\])?: \*\*\* /.test(line));
  const above = (lines[at - 1] ?? "").trim();
  return at > 0 && /\p{L}+ \p{L}+/u.test(above) && !chatter.some((each) => each.test(above))
    ? above
    : undefined;
}

function findFindings(lines: readonly string[]): Failure[] {
  const found = lines.flatMap((text): Groups[] => {
    const groups: Groups | undefined = finding.exec(text.trim())?.groups;
    if (groups === undefined || text.includes("━━") || frames.some((frame) => frame.test(text.trim())))
      return [];
    const { level = "", severity = level } = groups;
    const rule = groups.code === undefined ? ruleAtEnd.exec(groups.message ?? "")?.groups : undefined;
    const { message = "", code } = { ...groups, ...rule };
    const isTelling = code !== undefined || /^e/i.test(severity) || wordsOfFailure.test(message);
    const line = groups.line ?? groups.row ?? groups.number;
    return isTelling ? [{ file: groups.file, line, severity, code, message }] : [];
  });
  const isMinor = ({ severity = "" }: Groups) => /^(?:w|i|n|h)/i.test(severity);
  const grave = found.filter((each) => !isMinor(each));
  const blamed = grave.length > 0 ? grave : found.filter(({ code }) => code !== undefined);
  return blamed.slice(0, maxFindings).map((each) => ({
    ...toFailure(each),
    ...(each.code === undefined && { isGuess: true as const }),
  }));
}

/** The best line; in a run of equally good lines, the first. */
function findTellingLine(lines: readonly string[]): string | undefined {
  const isStrict = lines.some((line) => strictly.test(line));
  const texts = lines.map((line) => {
    const text = line
      .trim()
      .replace(/^<(\w+)>(.*)<\/\1>$/, "$2")
      .replace(logfmt, "error: $<message>");
    return isStrict ? text.replace(warning, "") : text;
  });
  const weights = texts.map(weigh);
  const best = Math.max(0, ...weights);
  if (best === 0) return undefined;
  let at = weights.lastIndexOf(best);
  while (weights[at - 1] === best) at -= 1;
  const line = texts[at] ?? "";
  const text = line.replace(labelled, "").slice(markOf(line).length) || line;
  const next = texts[at + 1] ?? "";
  const cause = texts.slice(at + 1).find((line) => /^caused by:? \S/i.test(line));
  if (text.endsWith(":") && next !== "") {
    const item = next.replace(/^[-*•] /, "");
    return isSum(text) ? item : `${text} ${item}`;
  }
  return cause === undefined ? text : `${text} (${cause})`;
}

/** "2 files without a header" counts, but also names the problem. */
function isSum(text: string): boolean {
  return sums.some((sum) => sum.test(text)) && !countedWhat.test(text);
}

function weigh(text: string): number {
  const start = markOf(text);
  const rest = text.slice(start.length);
  if (labelled.test(text) && text.length > 30) return 1;
  const says = [text, rest];
  if (!/\p{L}{2}/u.test(rest) || strictly.test(text) || isBareVerdict(text) || isBareVerdict(rest)) return 0;
  if (frames.some((frame) => frame.test(text))) return 0;
  if (!text.endsWith(":") && says.some(isSum)) return 0;
  if (chatter.some((each) => each.test(rest)) || (start === "" && hint.test(text))) return 0;
  if (start !== "") return 2;
  return wordsOfFailure.test(text) ? 1 : 0;
}

function findLoggedError(records: readonly string[]): string | undefined {
  return records
    .toReversed()
    .map(messageOfRecord)
    .find((message) => message !== undefined);
}

/** Loggers name their levels, or number them from 50 (pino, bunyan). */
function messageOfRecord(record: string): string | undefined {
  if (!/"(?:level|lvl|severity)" ?: ?(?:"(?:error|fatal|critical|alert|emergency)"|[5-6]0\b)/i.test(record))
    return undefined;
  const [, inner] =
    /"(?:err|error|exception)" ?: ?\{.{0,300}?"message" ?: ?"((?:[^"\\]|\\.){1,300})"/.exec(record) ?? [];
  const [, own] = /"(?:msg|message|event)" ?: ?"((?:[^"\\]|\\.){1,300})"/.exec(record) ?? [];
  return inner ?? own;
}
