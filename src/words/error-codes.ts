/** System error codes in the words that people search with. */
const meanings: Record<string, string> = {
  EACCES: "permission denied access",
  EADDRINUSE: "address port already in use",
  EAGAIN: "resource temporarily unavailable",
  EBUSY: "resource busy",
  ECONNABORTED: "connection aborted",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EEXIST: "file already exists",
  EHOSTUNREACH: "host unreachable",
  EISDIR: "is a directory",
  EMFILE: "too many open files",
  ENETUNREACH: "network unreachable",
  ENOENT: "no such file or directory not found missing",
  ENOMEM: "out of memory",
  ENOSPC: "no space left disk full",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  ENOTFOUND: "host name not found dns",
  EPERM: "operation not permitted permission",
  EPIPE: "broken pipe",
  EROFS: "read only file system",
  ETIMEDOUT: "connection timed out timeout",
  OOM: "out of memory",
  SIGKILL: "killed",
  SIGSEGV: "segmentation fault crash",
  SIGTERM: "terminated",
  SQLITE_BUSY: "database is locked",
  SQLITE_CORRUPT: "database corrupt malformed",
};

const codePattern = /\b(?:[A-Z]{2,}_[A-Z_]+|E[A-Z]{3,}|SIG[A-Z]{3,}|OOM|[A-Z]{1,6}-?\d{3,5})\b/g;

/** The error codes in a text with their meanings, so that `ECONNREFUSED` is found by "connection refused". */
export function errorWords(text: string): string {
  return errorCodes(text)
    .map((code) => [code, meanings[code]].filter(Boolean).join(" "))
    .join(" ");
}

function errorCodes(text: string): string[] {
  // A code has a capital.
  return text === text.toLowerCase() ? [] : [...new Set(text.match(codePattern) ?? [])];
}

const months = "january february march april may june july august september october november december".split(
  " ",
);

/** The words people search a date such as `2026-05-08` by: day, month, year, or the date itself. */
export function dateWords(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? [];
  if (year === undefined) return "";
  return `${Number(day)} ${months[Number(month) - 1] ?? ""} ${year} ${year}${month}${day}`;
}
