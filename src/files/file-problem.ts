import { isSystemError, RalphError } from "../domain/ralph-error.js";

/** Runs a file operation and translates its errors. */
export function withFileErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/** Turns a system error into one with advice. */
export function fileProblem(path: string, error: unknown): unknown {
  if (error instanceof RalphError) return error;
  const unusable = (message: string, hint: string) =>
    new RalphError("file-unusable", `${message}: ${path}`, { hint, cause: error });
  if (isSystemError(error, "ENOSPC", "EDQUOT")) {
    return new RalphError("disk-full", `No space left to write ${path}`, {
      hint: "free some space and run the command again; nothing was changed",
      cause: error,
    });
  }
  if (isSystemError(error, "EACCES", "EPERM"))
    return unusable("Permission denied", "check its owner and mode");
  if (isSystemError(error, "EROFS"))
    return unusable("Read-only file system", "mount it writable, or choose another folder with --root");
  if (isSystemError(error, "EISDIR")) return unusable("Expected a file, found a directory", "move it away");
  if (isSystemError(error, "ENOTDIR", "EEXIST"))
    return unusable("Expected a directory, found a file", "move it away");
  if (isSystemError(error, "ENOENT")) return unusable("No such file or directory", "check the path");
  if (isSystemError(error, "EMFILE", "ENFILE"))
    return unusable("Too many open files", "close some programs, or raise the limit (ulimit -n)");
  if (isSystemError(error, "ELOOP"))
    return unusable("Too many levels of symbolic links", "remove the link that points to itself");
  if (isSystemError(error, "ENAMETOOLONG")) return unusable("The name is too long", "choose a shorter path");
  if (isSystemError(error, "ENXIO", "ENODEV", "EOPNOTSUPP"))
    return unusable("Not a regular file", "move it away");
  if (isSystemError(error, "ERR_FS_FILE_TOO_LARGE", "ERR_STRING_TOO_LONG"))
    return unusable("File is too large", "move it away");
  return error;
}
