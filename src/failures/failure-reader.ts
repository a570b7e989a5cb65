import type { Failure } from "./failure.js";

/** A failure and the index of its first line in the output. */
export interface FoundFailure {
  at: number;
  failure: Failure;
}

/** Finds the failures in the output of one kind of tool. */
export type FailureReader = (lines: readonly string[]) => FoundFailure[];

/** The named groups of a pattern; all optional, since tools differ in what they report. */
export type Groups = Record<string, string | undefined>;

export function toFailure({ tool, test, code, file, line, message = "" }: Groups): Failure {
  return {
    ...(test && { test: test.trim() }),
    ...(code && { code }),
    ...(file && { file: file.replace(/^file:\/\/|^\.\//, "") }),
    ...(line && { line: Number(line) }),
    message: message.trim() || "failed",
    ...(tool && { tool }),
  };
}

/** The named groups of each line that matches. */
export function listGroups(lines: readonly string[], pattern: RegExp): Groups[] {
  return lines.map((line) => pattern.exec(line)?.groups).filter((groups) => groups !== undefined);
}

/** Reads tools that report a failure on one line; the patterns have named groups. */
export function readLines(tool: string, ...patterns: RegExp[]): FailureReader {
  return (lines) =>
    lines.flatMap((line, at) => {
      const pattern = line === "" ? undefined : patterns.find((each) => each.test(line));
      return pattern === undefined
        ? []
        : [{ at, failure: toFailure({ tool, ...pattern.exec(line)?.groups }) }];
    });
}

/** Reads tools that print the name of a file, and its failures in the lines below. */
export function readBelowFile(tool: string, fileLine: RegExp, pattern: RegExp): FailureReader {
  return (lines) => {
    let file: string | undefined;
    return lines.flatMap((line, at) => {
      const named = fileLine.exec(line)?.groups?.file;
      if (named !== undefined) file = named;
      const groups = pattern.exec(line)?.groups;
      return groups === undefined || file === undefined
        ? []
        : [{ at, failure: toFailure({ tool, file, ...groups }) }];
    });
  };
}

/** The first line of a failure, its named groups, and the lines that follow. */
export interface Block {
  at: number;
  groups: Groups;
  body: string[];
}

// Lines after a gap are unrelated; these are the truncation marks of Ralph and of common agents.
const gap = /^\s*(?:[[(<…]|\.{3}|-{3}).{0,80}\b(?:left out|truncated|omitted|clipped)\b/;
const maxBodyLines = 200;
// More than anyone reads; bounds readers that scan the whole output for each block.
const maxBlocks = 100;

/** The blocks of an output: each starts with a header and ends at the next header, an end line or a gap. */
export function findBlocks(lines: readonly string[], header: RegExp, end = /(?!)/): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [at, line] of lines.entries()) {
    if (header.test(line)) {
      if (blocks.length === maxBlocks) break;
      open = { at, groups: header.exec(line)?.groups ?? {}, body: [] };
      blocks.push(open);
    } else if (open !== undefined && (end.test(line) || gap.test(line) || open.body.length >= maxBodyLines)) {
      open = undefined;
    } else {
      open?.body.push(line);
    }
  }
  return blocks;
}

/** Reads tools that report a failure over several lines. */
export function readBlocks(
  tool: string,
  header: RegExp,
  toGroups: (block: Block, lines: readonly string[]) => Groups | undefined,
  end?: RegExp,
): FailureReader {
  return (lines) =>
    findBlocks(lines, header, end).flatMap((block) => {
      const groups = toGroups(block, lines);
      return groups === undefined
        ? []
        : [{ at: block.at, failure: toFailure({ tool, ...block.groups, ...groups }) }];
    });
}

/**
 * How a tool reports a failure over several lines. Named groups become the failure's fields; `what` is put before the message and `reason`
 * after it.
 */
export interface BlockPattern {
  tool?: string;
  header: RegExp;
  /** The block ends before such a line. */
  end?: RegExp;
  /** The output must have such a line. */
  output?: RegExp;
  /** The blocks follow such a line. */
  section?: RegExp;
  /** The block must contain such a line, which is not searched for the message. */
  needs?: RegExp;
  /** Messages that are not failures. */
  unless?: RegExp;
  /** The message follows such a line, which the block must contain. */
  below?: RegExp;
  /** Further details: the first line of the block that matches each. */
  details?: RegExp[];
  /** A line above the block with further details. */
  above?: RegExp;
  place?: (body: readonly string[]) => Groups;
  /** The message is the whole first paragraph. */
  isParagraph?: true;
}

const readAbove = 60;
const maxMessage = 300;

export function readPattern(pattern: BlockPattern): FailureReader {
  const { tool = "", header, end, output, section } = pattern;
  const read = readBlocks(tool, header, (block, lines) => readBlock(pattern, block, lines), end);
  return (lines) => {
    if (output !== undefined && !lines.some((line) => output.test(line))) return [];
    const start = section === undefined ? 0 : lines.findIndex((line) => section.test(line));
    return start < 0 ? [] : read(lines.slice(start)).map(({ at, failure }) => ({ at: start + at, failure }));
  };
}

function readBlock(pattern: BlockPattern, block: Block, lines: readonly string[]): Groups | undefined {
  const { needs, unless, below, details = [], above, place, isParagraph } = pattern;
  const { at, body } = block;
  const needed = needs === undefined ? -1 : body.findIndex((line) => needs.test(line));
  const start = below === undefined ? -1 : body.findIndex((line) => below.test(line));
  if ((needs !== undefined && needed < 0) || (below !== undefined && start < 0)) return undefined;
  const before = above === undefined ? [] : listGroups(lines.slice(Math.max(0, at - readAbove), at), above);
  const found: Groups = Object.assign(
    { ...block.groups },
    before.at(-1),
    needs?.exec(body[needed] ?? "")?.groups,
    ...details.map((detail) => listGroups(body, detail)[0]),
    place?.(body),
  );
  const rest = body.filter((_, index) => index > start && index !== needed);
  const text =
    found.message ??
    comparison(textsOf(rest)) ??
    (isParagraph ? firstParagraph(rest).slice(0, maxMessage) : firstMessage(rest));
  if (unless?.test(text)) return undefined;
  const message = [found.what, text].filter(Boolean).join(": ");
  return { ...found, message: found.reason === undefined ? message : `${message} (${found.reason.trim()})` };
}

/** `expected 3, received 4`, where both values are shown on lines of their own. */
export function comparison(texts: readonly string[]): string | undefined {
  const expected = valueBehind(texts, "Expected:", "expected:");
  const received = valueBehind(texts, "Received:", "Actual:", "But was:", "got:");
  return expected && received ? `expected ${expected}, received ${received}` : undefined;
}

/** The texts of a body, without empty lines. */
export function textsOf(body: readonly string[]): string[] {
  return body.map((line) => line.trim()).filter((line) => line !== "");
}

/** The value after a label such as `Expected:`. */
export function valueBehind(texts: readonly string[], ...labels: string[]): string | undefined {
  for (const text of texts) {
    const label = labels.find((each) => text.startsWith(each));
    if (label !== undefined) return text.slice(label.length).trim();
  }
  return undefined;
}

// A frame, a source line, or the beginning of a difference.
const noMessage = /^(?:at |❯|>|\d+ ?\||[-+] (?:Expected|Received|actual|expected)|[-+^~]*$|\{$)/;
const label = /^(?:Error Message|Message|Failure):$/;

/** Some assertion libraries end the first line with a colon and put the values below it. */
export function firstMessage(body: readonly string[]): string {
  const [first = "", second = ""] = textsOf(body).filter((text) => !label.test(text));
  return first.endsWith(":") && !noMessage.test(second) ? `${first} ${second.replace(/^[-*•] /, "")}` : first;
}

/** The texts up to an empty line, a hint or the next section, in one line without the frames of boxes. */
export function firstParagraph(body: readonly string[]): string {
  const start = body.findIndex((line) => line.trim() !== "");
  const texts = start < 0 ? [] : body.slice(start).map((line) => line.replace(/^[\s│╰─▶]+/, "").trim());
  const end = texts.findIndex((text) => text === "" || /^(?:hint|help|note):|^\[/.test(text));
  return texts.slice(0, Math.min(6, end < 0 ? 6 : end)).join(" ");
}

const causeMark = /^(?:Caused by|\[cause\]|Cause|Errors contained in AggregateError):(?: (?<cause>.+))?$/;

/** A message with the innermost error below it, which the outer one often hides. */
export function withCause(message: string, body: readonly string[]): string {
  const texts = textsOf(body);
  const at = texts.findLastIndex((text) => causeMark.test(text));
  const cause = causeMark.exec(texts[at] ?? "")?.groups?.cause ?? (at < 0 ? undefined : texts[at + 1]);
  if (cause === undefined || message.includes(cause)) return message;
  return /^\w+:?$/.test(message) ? `${message.replace(/:$/, "")}: ${cause}` : `${message} (${cause})`;
}
