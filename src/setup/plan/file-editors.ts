import { type BlockMarks, cutBlock, findBlock, putBlock } from "../owned/managed-block.js";
import { type Comment, examineSeal, seal } from "../owned/sealed-text.js";
import { problemAt } from "../problem-at.js";
import { quoteWords } from "../programs/shell-words.js";
import type { PartEditor } from "./part-editor.js";

const inMarkdown: Comment = { open: "<!--", close: " -->" };
const inScript: Comment = { open: "//", close: "" };

export const agentsFileMarks: BlockMarks = {
  start: "<!-- ralph setup: begin -->",
  end: "<!-- ralph setup: end -->",
};

/** A file that is ours as a whole; one that somebody changed since is left as it is. */
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

/** The module says in one line how Ralph is started. */
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

/** For agents without hooks: a few lines that say what to call. */
export const blockEditor: PartEditor<"block"> = {
  add: (text, _part, { block, program }) =>
    putBlock(
      text,
      agentsFileMarks,
      program.isByName ? block : block.replaceAll(/^ralph-memory /gm, () => `${quoteWords(program.words)} `),
    ),
  remove: (text) => cutBlock(text, agentsFileMarks),
  has: (text) => findBlock(text, agentsFileMarks) !== undefined,
};
