import type { Failure } from "./failure.js";

/** A failure, and the index of the output's line where it begins. */
export interface Sighting {
  at: number;
  failure: Failure;
}

/** Reads what one kind of tool prints. */
export type FailureReader = (lines: readonly string[]) => Sighting[];

/** What a pattern may name; all of it is optional, since tools differ in how much they say. */
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

/** What a pattern names in each line that it matches. */
export function listGroups(lines: readonly string[], pattern: RegExp): Groups[] {
  return lines.map((line) => pattern.exec(line)?.groups).filter((groups) => groups !== undefined);
}

/** A reader of tools that say all of it in one line; the patterns have named groups. */
export function readLines(...patterns: RegExp[]): FailureReader {
  return (lines) =>
    lines.flatMap((line, at) => {
      for (const pattern of patterns) {
        const match = pattern.exec(line);
        if (match) return [{ at, failure: toFailure(match.groups ?? {}) }];
      }
      return [];
    });
}

/** A line that begins a failure, what it names, and the lines that belong to it. */
export interface Block {
  at: number;
  groups: Groups;
  body: string[];
}

// What lies behind a gap belongs to something else; the marks are ours and those of the usual agents.
const gap = /^\s*(?:[[(<…]|\.{3}|-{3}).{0,80}\b(?:left out|truncated|omitted|clipped)\b/;
const maxBodyLines = 200;
// More than anyone reads; it also keeps a look at the whole output for each block affordable.
const maxBlocks = 100;

/** The parts of an output that begin with a header and go on until the next one, an end or a gap. */
export function findBlocks(lines: readonly string[], header: RegExp, end = /(?!)/): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [at, line] of lines.entries()) {
    const match = header.exec(line);
    if (match) {
      if (blocks.length === maxBlocks) break;
      open = { at, groups: match.groups ?? {}, body: [] };
      blocks.push(open);
    } else if (open !== undefined && (end.test(line) || gap.test(line) || open.body.length >= maxBodyLines)) {
      open = undefined;
    } else {
      open?.body.push(line);
    }
  }
  return blocks;
}

/** A reader of tools that spread a failure over several lines. */
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

/** Assertion libraries end their first line with a colon and say the values below it. */
export function firstMessage(body: readonly string[]): string {
  const said = body.map((line) => line.trim()).filter((line) => line !== "");
  const [first = "", second = ""] = said;
  return first.endsWith(":") && / !?==+ /.test(second) ? `${first} ${second}` : first;
}
