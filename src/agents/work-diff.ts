import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { askGit } from "../processes/run-git.js";
import { diffLines } from "../text/line-diff.js";
import { startOf } from "../text/secrets/clip-output.js";
import { redact } from "../text/secrets/redact.js";
import { maxTextBytes, textOf, topOf, type WorkState } from "./git-changes.js";

/** Lines of a file that were replaced; without lines, it is only known that the file changed. */
export interface FileEdit {
  path: string;
  removed: string;
  added: string;
}

const maxFiles = 8;
const maxComparedFiles = 40;
/** Of all files together, removed and added ones. */
const maxLines = 40;
const maxLineLength = 200;
const maxReadLength = 8 * 1024;
const maxHunksOfFile = 4;

/** How files differ from the state before, the smallest changes first, as far as they fit into a few lines. */
export async function diffSince(
  root: string,
  before: WorkState,
  changedFiles: readonly string[],
): Promise<FileEdit[]> {
  const top = topOf(root);
  const compared = changedFiles.slice(0, maxComparedFiles);
  const committed = await committedTexts(
    root,
    before.commit,
    compared.filter((path) => !before.dirtyFiles.has(path)),
  );
  const changes = compared.map((path) => {
    const old = before.dirtyFiles.has(path) ? textBefore(before, path) : committed.get(path);
    const now = currentText(join(top, path));
    return { path, hunks: old === undefined || now === undefined ? [] : diffLines(old, now) };
  });
  let left = maxLines;
  const edits: FileEdit[] = [];
  // A file without hunks comes last: nothing is known of it but its name.
  for (const { path, hunks } of changes
    .toSorted((one, other) => weightOf(one) - weightOf(other))
    .slice(0, maxFiles)) {
    const shown = hunks.slice(0, maxHunksOfFile).flatMap(({ removed, added }) => {
      if (left <= 0) return [];
      const old = removed.slice(0, Math.ceil(left / 2));
      const now = added.slice(0, left - old.length);
      left -= old.length + now.length;
      return [{ path, removed: render(old), added: render(now) }];
    });
    edits.push(...(shown.length > 0 ? shown : [{ path, removed: "", added: "" }]));
  }
  return edits;
}

function weightOf({ hunks }: { hunks: readonly { removed: string[]; added: string[] }[] }): number {
  if (hunks.length === 0) return Number.POSITIVE_INFINITY;
  return hunks.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
}

function render(lines: readonly string[]): string {
  return lines
    .map((line) =>
      line.length > maxLineLength
        ? `${startOf(redact(line.slice(0, maxReadLength)).text, maxLineLength)}…`
        : line,
    )
    .join("\n");
}

/** Of a file with unfinished work; undefined when it is long or binary. */
function textBefore({ dirtyFiles, texts }: WorkState, path: string): string | undefined {
  return texts.get(path) ?? (dirtyFiles.get(path) === "absent" ? "" : undefined);
}

/** Empty when the file is gone, undefined when it is no short text. */
function currentText(path: string): string | undefined {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size <= maxTextBytes ? textOf(readFileSync(path)) : undefined;
  } catch {
    return "";
  }
}

/** The short texts of a commit by path; empty for files that it does not have. */
async function committedTexts(
  root: string,
  commit: string | undefined,
  paths: readonly string[],
): Promise<Map<string, string>> {
  if (commit === undefined) return new Map(paths.map((path) => [path, ""]));
  const asked = paths.filter((path) => !path.includes("\n"));
  if (asked.length === 0) return new Map();
  const texts = new Map<string, string>();
  const sizes = await askGit(
    root,
    inputOf(commit, asked),
    "cat-file",
    "--batch-check=%(objecttype) %(objectsize)",
  );
  const short: string[] = [];
  for (const [index, line] of (sizes?.toString("utf8") ?? "").split("\n").entries()) {
    const path = asked[index];
    if (path === undefined) break;
    const [, size] = /^blob (\d+)$/.exec(line) ?? [];
    if (line.endsWith(" missing")) texts.set(path, "");
    else if (size !== undefined && Number(size) <= maxTextBytes) short.push(path);
  }
  if (short.length === 0) return texts;
  let rest = await askGit(root, inputOf(commit, short), "cat-file", "--batch=%(objectsize)");
  for (const path of short) {
    const end = rest?.indexOf("\n") ?? -1;
    if (rest === undefined || end === -1) break;
    const size = Number(rest.subarray(0, end).toString("latin1"));
    const text = textOf(rest.subarray(end + 1, end + 1 + size));
    if (text !== undefined) texts.set(path, text);
    rest = rest.subarray(end + size + 2);
  }
  return texts;
}

function inputOf(commit: string, paths: readonly string[]): string {
  return paths.map((path) => `${commit}:${path}\n`).join("");
}
