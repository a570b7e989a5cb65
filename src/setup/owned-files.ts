import { sha256 } from "../domain/sha256.js";
import type { PartEditor } from "./edit-parts.js";
import { appendLines, cutSpan, lineEndOf, problemAt } from "./formats/text-edit.js";
import { quoteWords } from "./own-program.js";

/** How a comment begins and ends in a file's language. */
export interface Comment {
  open: string;
  close: string;
}

const words = "Written by ralph setup, which replaces and removes it as long as this seal fits:";

/** Appends a line that identifies the text as ours and unchanged, whatever version wrote it. */
export function seal(text: string, comment: Comment): string {
  return `${text}${sealOf(text, comment)}\n`;
}

/** `foreign` if the text has no seal, `changed` if it was changed since. */
export function examineSeal(text: string, comment: Comment): "own" | "changed" | "foreign" {
  const at = text.lastIndexOf(`${comment.open} ${words}`);
  if (at === -1) return "foreign";
  const content = text.slice(0, at);
  return text === seal(content, comment) ? "own" : "changed";
}

function sealOf(text: string, { open, close }: Comment): string {
  return `${open} ${words} ${sha256(text).slice(0, 16)}${close}`;
}

/** The lines that enclose our block in another file. */
export interface BlockMarks {
  start: string;
  end: string;
}

/** The text with the block in place of an earlier one, or else at the end. */
export function putBlock(text: string | undefined, marks: BlockMarks, content: string): string {
  const lines = [marks.start, ...content.trimEnd().split("\n"), marks.end];
  const found = text === undefined ? undefined : findBlock(text, marks);
  if (text === undefined || found === undefined) return appendLines(text, lines);
  return text.slice(0, found.start) + lines.join(lineEndOf(text)) + text.slice(found.end);
}

/** The text without the block, as it was before; undefined if there was no file. */
export function cutBlock(text: string, marks: BlockMarks): string | undefined {
  const found = findBlock(text, marks);
  return found === undefined ? text : cutSpan(text, found);
}

/** The position and content of the block. */
export function findBlock(
  text: string,
  { start, end }: BlockMarks,
): { start: number; end: number; content: string } | undefined {
  const { from, to } = lastPair(text, start, end);
  if (to === -1) return undefined;
  const content = text.slice(from + start.length, to).replace(/^\r?\n/, "");
  return { start: from, end: to + end.length, content: content.replaceAll("\r\n", "\n") };
}

/** A start without an end may be left over from a manual edit. */
function lastPair(text: string, start: string, end: string): { from: number; to: number } {
  let pair = { from: -1, to: -1 };
  for (let from = indexOfLine(text, start, 0); from !== -1; from = indexOfLine(text, start, from + 1)) {
    const to = indexOfLine(text, end, from + start.length);
    if (to !== -1) pair = { from, to };
  }
  return pair;
}

/** The start of a line that consists of this text alone. */
function indexOfLine(text: string, line: string, from: number): number {
  for (let at = text.indexOf(line, from); at !== -1; at = text.indexOf(line, at + 1)) {
    const after = text[at + line.length];
    const isLineStart = at === 0 || text[at - 1] === "\n";
    if (isLineStart && (after === undefined || after === "\n" || after === "\r")) return at;
  }
  return -1;
}

/** The text in AGENTS.md for an agent without hooks. */
const agentsBlock = `## Memory of earlier work (Ralph)

Before you start, look up what earlier sessions learned; when you know something that holds, write it down with its reason:

\`\`\`sh
ralph-memory recall "<what you are about to do>"
ralph-memory memory search "<an error, a file or a name>"
ralph-memory memory add "<what holds, and why>" --type fix --tags a,b
\`\`\`

Types: pattern, decision, fix, context. Name the id of an entry that helped you (mem-…, learn-…) in your answer.
`;

const inMarkdown: Comment = { open: "<!--", close: " -->" };
const inScript: Comment = { open: "//", close: "" };

const agentsFileMarks: BlockMarks = {
  start: "<!-- ralph setup: begin -->",
  end: "<!-- ralph setup: end -->",
};

/** A file that is entirely ours; one that was changed since is left alone. */
function renewOwn(old: string | undefined, text: string, comment: Comment): string {
  const state = old === undefined ? "own" : examineSeal(old, comment);
  if (state === "own" || old === undefined) return seal(text, comment);
  if (state === "changed") return old;
  throw problemAt(old, 0, "this file is not from ralph setup", "move it away; nothing was changed");
}

const removeOwn = (comment: Comment) => (text: string) =>
  examineSeal(text, comment) === "own" ? undefined : text;

const hasOwn = (comment: Comment) => (text: string) => examineSeal(text, comment) !== "foreign";

export const skillEditor: PartEditor<"skill"> = {
  add: (text, _part, { skill }) => renewOwn(text, skill, inMarkdown),
  remove: removeOwn(inMarkdown),
  has: hasOwn(inMarkdown),
};

/** One line of the module contains the command that starts Ralph. */
export const pluginEditor: PartEditor<"plugin"> = {
  add: (text, _part, { opencodePlugin, program }) =>
    renewOwn(
      text,
      opencodePlugin.replace(/^const ralph = .*$/m, () => `const ralph = ${JSON.stringify(program.words)};`),
      inScript,
    ),
  remove: removeOwn(inScript),
  has: hasOwn(inScript),
};

/** For agents without hooks: a few lines that name the tools to call. */
export const blockEditor: PartEditor<"block"> = {
  add: (text, _part, { program }) =>
    putBlock(
      text,
      agentsFileMarks,
      program.isByName
        ? agentsBlock
        : agentsBlock.replaceAll(/^ralph-memory /gm, () => `${quoteWords(program.words)} `),
    ),
  remove: (text) => cutBlock(text, agentsFileMarks),
  has: (text) => findBlock(text, agentsFileMarks) !== undefined,
};
