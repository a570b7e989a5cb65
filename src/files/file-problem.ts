import { isSystemError, RalphError } from "../domain/ralph-error.js";

/** Runs a file operation and translates what goes wrong in it. */
export function withFileErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/** What the operating system refuses, as an error that says what to do. */
export function fileProblem(path: string, error: unknown): unknown {
  if (error instanceof RalphError) return error;
  const refuse = (message: string, hint: string) =>
    new RalphError("file-unusable", `${message}: ${path}`, { hint, cause: error });
  if (isSystemError(error, "ENOSPC", "EDQUOT")) {
    return new RalphError("disk-full", `No space left to write ${path}`, {
      hint: "free some space and run the command again; nothing was changed",
      cause: error,
    });
  }
  if (isSystemError(error, "EACCES", "EPERM")) return refuse("Permission denied", "check its owner and mode");
  if (isSystemError(error, "EROFS"))
    return refuse("The file system is read-only", "mount it writable or use --root");
  if (isSystemError(error, "EISDIR"))
    return refuse("A directory stands where a file should be", "move it away");
  if (isSystemError(error, "ENOTDIR", "EEXIST"))
    return refuse("A file stands where a directory should be", "move it away");
  if (isSystemError(error, "ENOENT")) return refuse("There is no such file or folder", "check the path");
  if (isSystemError(error, "ELOOP")) return refuse("A symbolic link leads to itself", "remove the link");
  return error;
}
