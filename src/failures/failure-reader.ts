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

export function toFailure({ test, code, file, line, message = "" }: Groups): Failure {
  return {
    ...(test && { test: test.trim() }),
    ...(code && { code }),
    ...(file && { file: file.replace(/^file:\/\/|^\.\//, "") }),
    ...(line && { line: Number(line) }),
    message: message.trim() || "failed",
  };
}

/** The named groups of each line that matches. */
export function listGroups(lines: readonly string[], pattern: RegExp): Groups[] {
  const found: Groups[] = [];
  for (const line of lines) {
    const groups = pattern.test(line) ? pattern.exec(line)?.groups : undefined;
    if (groups !== undefined) found.push(groups);
  }
  return found;
}

/** A reader for tools that report a failure on one line; the patterns have named groups. */
export function readLines(...patterns: RegExp[]): FailureReader {
  return (lines) => {
    const found: FoundFailure[] = [];
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? "";
      // Nearly all lines match nothing, and a test makes no garbage.
      const pattern = line === "" ? undefined : patterns.find((each) => each.test(line));
      if (pattern !== undefined) found.push({ at, failure: toFailure(pattern.exec(line)?.groups ?? {}) });
    }
    return found;
  };
}

/** Readers of one tool, whose failures are marked with its name. */
export function readersOf(tool: string, ...readers: FailureReader[]): FailureReader {
  return (lines) =>
    readers
      .flatMap((reader) => reader(lines))
      .map(({ at, failure }) => ({ at, failure: { ...failure, tool } }));
}

/** The first line of a failure, its named groups, and the lines that follow. */
export interface Block {
  at: number;
  groups: Groups;
  body: string[];
}

// Lines after a gap belong to something else; these are the marks of Ralph and of common agents.
const gap = /^\s*(?:[[(<…]|\.{3}|-{3}).{0,80}\b(?:left out|truncated|omitted|clipped)\b/;
const maxBodyLines = 200;
// More than anyone reads; also bounds readers that scan the whole output for each block.
const maxBlocks = 100;

/** The blocks of an output: each starts with a header and ends at the next header, an end line or a gap. */
export function findBlocks(lines: readonly string[], header: RegExp, end = /(?!)/): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
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

/** A reader for tools that report a failure over several lines. */
export function readBlocks(
  header: RegExp,
  toGroups: (block: Block, lines: readonly string[]) => Groups | undefined,
  end?: RegExp,
): FailureReader {
  return (lines) =>
    findBlocks(lines, header, end).flatMap((block) => {
      const groups = toGroups(block, lines);
      return groups === undefined
        ? []
        : [{ at: block.at, failure: toFailure({ ...block.groups, ...groups }) }];
    });
}

/** The texts of a body, without empty lines. */
export function textsOf(body: readonly string[]): string[] {
  return body.map((line) => line.trim()).filter((line) => line !== "");
}

/** What follows a label such as `Expected:` on its line. */
export function valueBehind(texts: readonly string[], ...labels: string[]): string | undefined {
  for (const text of texts) {
    const label = labels.find((each) => text.startsWith(each));
    if (label !== undefined) return text.slice(label.length).trim();
  }
  return undefined;
}

// A frame, a source line, or the beginning of a difference.
const noMessage = /^(?:at |❯|>|\d+ ?\||[-+] (?:Expected|Received|actual|expected)|[-+^~]*$|\{$)/;

/** Some assertion libraries end the first line with a colon and put the values below it. */
export function firstMessage(body: readonly string[]): string {
  const [first = "", second = ""] = textsOf(body);
  return first.endsWith(":") && !noMessage.test(second) ? `${first} ${second.replace(/^[-*•] /, "")}` : first;
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
