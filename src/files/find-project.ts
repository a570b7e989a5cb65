import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { homeFolder } from "../domain/environment.js";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { namesIn } from "./names-in.js";
import { isInside } from "./path-inside.js";
import { maxSmallFileBytes, readRegularFile } from "./read-regular-file.js";

/** Where the memory of a project lives. */
export interface Project {
  /** The current worktree or folder. */
  root: string;
  /** The folder that all worktrees share: the main worktree, or `<git directory>/ralph` in a bare repository. */
  home: string;
  kind: "git" | "bare" | "folder";
  /** Nothing marks the folder as a project. */
  isUnmarked?: boolean;
}

export interface FindProjectOptions {
  /** The user's own `.ralph`, which does not make its folder a project. */
  userHome: string;
}

/** Finds the project of a folder from git's files, without running git; an unmarked folder is a project itself. */
export function findProject(from: string, options: FindProjectOptions): Project {
  const start = resolve(from);
  return findMarkedProject(start, options) ?? { root: start, home: start, kind: "folder", isUnmarked: true };
}

/**
 * The project of a folder that git, `.agent/` or `.ralph/` marks. A folder that all users share, such as `/tmp`, does not include the
 * folders below it unless it is the user's own repository: anybody could put memories there for everyone who works below it.
 */
export function findMarkedProject(from: string, { userHome }: FindProjectOptions): Project | undefined {
  const start = resolve(from);
  for (const folder of withAncestors(start)) {
    const project = gitProjectAt(folder);
    if (project !== undefined && (folder === start || !isShared(folder) || isOwn(join(folder, ".git"))))
      return project;
  }
  for (const folder of withAncestors(start)) {
    const isMarked = isDirectory(join(folder, ".agent")) || hasProjectStore(folder, userHome);
    if (isMarked && (folder === start || mayHoldFolders(folder))) {
      return { root: folder, home: folder, kind: "folder" };
    }
  }
  return undefined;
}

/** Whether a project without Git may include the folders below it; in the user's home or `/` it would include everything. */
export function mayHoldFolders(folder: string): boolean {
  return !(isHomeFolder(folder) || dirname(folder) === folder || isShared(folder));
}

/** Everyone may write there, and only the owner of a file may remove it. */
const sharedMode = 0o1002;

function isShared(folder: string): boolean {
  return process.platform !== "win32" && ((findStats(folder)?.mode ?? 0) & sharedMode) === sharedMode;
}

function isOwn(path: string): boolean {
  return findStats(path)?.uid === process.getuid?.();
}

/** Whether a folder is the user's home, under any path. */
export function isHomeFolder(folder: string): boolean {
  const home = homeFolder();
  return folder === home || (isDirectory(home) && realpathSync(folder) === realpathSync(home));
}

function hasProjectStore(folder: string, userHome: string): boolean {
  const store = join(folder, ".ralph");
  return isDirectory(store) && !(isDirectory(userHome) && realpathSync(store) === realpathSync(userHome));
}

function* withAncestors(folder: string): Generator<string> {
  for (let current = folder; ; current = dirname(current)) {
    yield current;
    if (current === dirname(current)) return;
  }
}

function gitProjectAt(folder: string): Project | undefined {
  const dotGit = join(folder, ".git");
  const stats = findStats(dotGit);
  if (stats?.isDirectory()) return projectOfGitDirectory(folder, dotGit);
  if (stats?.isFile()) return projectOfGitFile(folder, dotGit);
  if (isGitDirectory(folder) && basename(folder) !== ".git") return bareProject(folder, folder);
  return undefined;
}

function projectOfGitDirectory(root: string, dotGit: string): Project | undefined {
  if (!isGitDirectory(dotGit)) return undefined;
  return isBare(dotGit) ? bareProject(root, dotGit) : { root, home: root, kind: "git" };
}

/** Git's directory for a folder: its `.git`, or where a `.git` file points. */
export function findGitDirectory(root: string): string | undefined {
  const dotGit = join(root, ".git");
  const stats = findStats(dotGit);
  if (stats?.isDirectory()) return dotGit;
  return stats?.isFile() ? directoryNamedBy(dotGit) : undefined;
}

/** The text of a repository's own configuration; undefined where there is no repository. */
export function readGitConfiguration(root: string): string | undefined {
  const [directory, common] = gitDirectoriesOf(root);
  if (directory === undefined || common === undefined) return undefined;
  return [join(common, "config"), join(directory, "config.worktree")]
    .map((path) => findText(path) ?? "")
    .join("\n");
}

function gitDirectoriesOf(root: string): string[] {
  const directory = findGitDirectory(root);
  if (directory === undefined) return [];
  return [directory, resolve(directory, findText(join(directory, "commondir"))?.trim() ?? ".")];
}

const readByGit = [".", "info", "objects/info", "objects/pack", "refs/heads"];

/** Whether a pipe or a device is where git expects a file: git would block on it. */
export function hasSpecialGitFiles(root: string): boolean {
  const folders = [
    root,
    ...gitDirectoriesOf(root).flatMap((directory) => readByGit.map((name) => join(directory, name))),
  ];
  return folders.some((folder) =>
    (folder === root ? [".git", ".gitignore", ".gitattributes", ".gitmodules"] : namesIn(folder)).some(
      (name) => {
        const stats = findStats(join(folder, name));
        return stats !== undefined && !stats.isFile() && !stats.isDirectory();
      },
    ),
  );
}

/** A `.git` file points to the git directory of a linked worktree, a submodule, or a repository kept elsewhere. */
function directoryNamedBy(dotGit: string): string | undefined {
  const pointer = /^gitdir: (.+)$/m.exec(findText(dotGit) ?? "")?.[1]?.trim();
  return pointer === undefined ? undefined : resolve(dirname(dotGit), pointer);
}

function projectOfGitFile(root: string, dotGit: string): Project | undefined {
  const gitDirectory = directoryNamedBy(dotGit);
  if (gitDirectory === undefined) return undefined;
  const commonPointer = findText(join(gitDirectory, "commondir"))?.trim();
  const common = commonPointer === undefined ? gitDirectory : resolve(gitDirectory, commonPointer);
  const isKnownThere =
    commonPointer === undefined ? isInside(root, common) : isWorktreeOf(gitDirectory, dotGit);
  if (isBare(common) && isKnownThere) return bareProject(root, common);
  if (commonPointer === undefined || !isKnownThere) return { root, home: root, kind: "git" };
  const mainWorktree = configValue(common, "worktree");
  if (mainWorktree !== undefined) return { root, home: resolve(common, mainWorktree), kind: "git" };
  if (basename(common) === ".git") return { root, home: dirname(common), kind: "git" };
  return bareProject(root, common);
}

/** Whether the repository lists the worktree, too: anybody can write a `.git` file that points to one of the user's repositories. */
function isWorktreeOf(gitDirectory: string, dotGit: string): boolean {
  const back = findText(join(gitDirectory, "gitdir"))?.trim();
  return back !== undefined && resolveIfThere(resolve(gitDirectory, back)) === resolveIfThere(dotGit);
}

function resolveIfThere(path: string): string {
  return findStats(path) === undefined ? path : realpathSync(path);
}

function bareProject(root: string, gitDirectory: string): Project {
  return { root, home: join(gitDirectory, "ralph"), kind: "bare" };
}

function isBare(gitDirectory: string): boolean {
  return configValue(gitDirectory, "bare")?.toLowerCase() === "true";
}

/** Reads a key of the section `core`; no other section uses these names. */
function configValue(gitDirectory: string, key: "bare" | "worktree"): string | undefined {
  const config = findText(join(gitDirectory, "config")) ?? "";
  const value = new RegExp(`^[ \\t]*${key}[ \\t]*=(.+)$`, "im").exec(config)?.[1]?.trim();
  return value?.replace(/^"|"$/g, "");
}

function isGitDirectory(folder: string): boolean {
  return (
    findStats(join(folder, "HEAD")) !== undefined &&
    isDirectory(join(folder, "objects")) &&
    isDirectory(join(folder, "refs"))
  );
}

function isDirectory(path: string): boolean {
  return findStats(path)?.isDirectory() ?? false;
}

function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // An unreadable one is not ours.
    if (isSystemError(error, "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG")) return undefined;
    throw error;
  }
}

function findText(path: string): string | undefined {
  try {
    return readRegularFile(path, { maxBytes: maxSmallFileBytes }).toString("utf8");
  } catch (error) {
    if (error instanceof RalphError) return undefined;
    throw error;
  }
}
