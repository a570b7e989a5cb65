import { join } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { checkInside } from "../files/path-inside.js";
import { runGit } from "../processes/run-git.js";
import { type FileChange, readText, writeChanges } from "./file-changes.js";
import { type OwnProgram, quoteWords } from "./own-program.js";

/** The name of the merge driver in Git's configuration and attributes. */
export const driverName = "ralph-notes";

export const notesPath = ".agent/memories.md";

/** The attribute with which Git merges the notes file by the driver. */
export const attributeLine = `${notesPath} merge=${driverName}`;

/** The text of `.gitattributes` with the line at its end; undefined if there is no file. */
export function addAttribute(text: string | undefined): string {
  if (text === undefined) return `${attributeLine}\n`;
  if (hasAttribute(text)) return text;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  // A file without a newline at its end gets none, so that `removeAttribute` can restore it.
  return text.endsWith("\n") ? `${text}${attributeLine}${lineEnd}` : `${text}${lineEnd}${attributeLine}`;
}

/** Undoes `addAttribute`; undefined if there was no file. */
export function removeAttribute(text: string): string | undefined {
  const found = findAttribute(text);
  if (found === undefined) return text;
  const [before, after] = [text.slice(0, found.start), text.slice(found.end)];
  if (after === "") return before.replace(/\r?\n$/, "");
  const rest = after.replace(/^\r?\n/, "");
  return rest === "" && before === "" ? undefined : before + rest;
}

export function hasAttribute(text: string): boolean {
  return findAttribute(text) !== undefined;
}

function findAttribute(text: string): { start: number; end: number } | undefined {
  for (
    let start = text.indexOf(attributeLine);
    start !== -1;
    start = text.indexOf(attributeLine, start + 1)
  ) {
    const end = start + attributeLine.length;
    const isLineStart = start === 0 || text[start - 1] === "\n";
    if (isLineStart && /^(?:\r?\n|$)/.test(text.slice(end, end + 2))) return { start, end };
  }
  return undefined;
}

/** A key of the repository's own configuration; undefined if it has no value. */
export interface ConfigChange {
  key: string;
  before: string | undefined;
  after: string | undefined;
}

/** What to write, or remove, so that Git merges notes by their ids. */
export interface MergingPlan {
  attributes: FileChange[];
  config: ConfigChange[];
  /** What is left unchanged, and why. */
  notes: string[];
}

export interface MergingRequest {
  /** The working tree that contains the notes file. */
  root: string;
  program: OwnProgram;
  action: "add" | "remove";
}

export async function planMerging({ root, program, action }: MergingRequest): Promise<MergingPlan> {
  const isAdding = action === "add";
  if ((await runGit(root, "rev-parse", "--git-dir")) === undefined)
    return { attributes: [], config: [], notes: ["git cannot be asked here, so it merges notes by lines"] };
  const asked = isAdding ? await attributeOf(root) : undefined;
  const notes =
    asked === undefined || asked === driverName
      ? []
      : [`git: ${notesPath} has the attribute merge=${asked}, which stays`];
  if (notes.length > 0 || (isAdding && (await isIgnored(root)))) return { attributes: [], config: [], notes };
  const attributes = changeAttributes(root, (text) => {
    if (!isAdding) return text === undefined ? undefined : removeAttribute(text);
    return asked === driverName ? text : addAttribute(text);
  });
  const wanted = isAdding ? driverSettings(program) : {};
  const config: ConfigChange[] = [];
  for (const key of Object.keys(driverSettings(program))) {
    const before = await configured(root, key);
    if (before !== wanted[key]) config.push({ key, before, after: wanted[key] });
  }
  return { attributes, config, notes };
}

export function isNothing({ attributes, config }: MergingPlan): boolean {
  return attributes.length + config.length === 0;
}

export async function writeMerging(root: string, { attributes, config }: MergingPlan): Promise<void> {
  for (const { key, after } of config) {
    const words = after === undefined ? ["--unset", key] : [key, after];
    if ((await runGit(root, "config", "--local", ...words)) === undefined)
      throw new RalphError("file-unusable", `git config could not write ${key}`, {
        hint: "check the repository's .git/config",
      });
  }
  writeChanges(attributes, { base: root });
}

/** Git's settings for the notes file: whether its attribute names the driver, and whether this clone has the driver. */
export async function examineMerging(
  root: string,
  program: OwnProgram,
): Promise<{ hasAttribute: boolean; driver: "current" | "other" | "missing" }> {
  const driver = await runGit(root, "config", "--get", `merge.${driverName}.driver`);
  const isCurrent = driver?.replace(/\n$/, "") === driverCommand(program);
  return {
    hasAttribute: (await attributeOf(root)) === driverName,
    driver: driver === undefined ? "missing" : isCurrent ? "current" : "other",
  };
}

function changeAttributes(
  root: string,
  change: (text: string | undefined) => string | undefined,
): FileChange[] {
  const path = join(root, ".gitattributes");
  checkInside(root, path);
  const { text, stamp } = readText(path);
  const after = change(text);
  return after === text ? [] : [{ path, before: text, after, stamp }];
}

/** The value of the attribute `merge`; undefined if it is not set. */
async function attributeOf(root: string): Promise<string | undefined> {
  const answer = await runGit(root, "check-attr", "-z", "merge", "--", notesPath);
  const value = answer?.split("\0")[2];
  return value === undefined || value === "unspecified" ? undefined : value;
}

async function isIgnored(root: string): Promise<boolean> {
  return (await runGit(root, "check-ignore", "--quiet", notesPath)) !== undefined;
}

async function configured(root: string, key: string): Promise<string | undefined> {
  return (await runGit(root, "config", "--local", "--get", key))?.replace(/\n$/, "");
}

function driverSettings(program: OwnProgram): Record<string, string> {
  return {
    [`merge.${driverName}.name`]: "notes of Ralph, by their ids",
    [`merge.${driverName}.driver`]: driverCommand(program),
  };
}

/**
 * Falls back to Git's own line merge where Ralph cannot run: otherwise Git would take our version as the result. Looks for the program
 * first, because the shell's error for a missing one quotes this whole command.
 */
function driverCommand({ words, isByName }: OwnProgram): string {
  const quoted = (some: readonly string[]) => quoteWords(some).replaceAll("%", "%%");
  const isThere = isByName
    ? `command -v ${quoted(words)} >/dev/null`
    : words.map((path) => `test -f ${quoted([path])}`).join(" && ");
  return (
    `if ${isThere};` +
    ` then ${quoted(words)} merge-notes %O %A %B --marker-size=%L --path=%P --our-name=%X --their-name=%Y;` +
    " else echo ralph is not found here: git merges %P by lines >&2; (exit 2); fi" +
    " || { test $? != 1 && git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B; }"
  );
}
