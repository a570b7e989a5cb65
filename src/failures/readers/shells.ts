import { type FailureReader, readBlocks, readLines, textsOf } from "../failure-reader.js";

const refusals =
  "No such file or directory|Permission denied|Is a directory|Not a directory|Connection refused|Address already in use|No space left on device|Operation not permitted|Read-only file system|unbound variable|Exec format error";

/** A shell prefixes its errors with its own name, or with the script and line. */
const readShell = readLines(
  /^-?(?:\/\S*\/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?(?<message>[\w./@+-]+: (?:command )?not found)$/,
  /^(?<file>[^\s:]+): (?:line )?(?<line>\d+): (?<message>[\w./@+-]+: (?:command )?not found)$/,
  /^(?<message>[\w./@+-]+: command not found)$/,
  /^(?:zsh:(?:\d+:)?|(?<file>[^\s:]+):(?<line>\d+):) (?<message>(?:command not found|no such file or directory|permission denied): .+)$/,
  new RegExp(`^-?(?:ba|da|z|k)?sh: (?:line )?(?:\\d+: )?(?<message>[^:]+(?:: [^:]+)?: (?:${refusals}))$`),
  new RegExp(
    `^(?<file>[^\\s:]+): (?:line )?(?<line>\\d+): (?<message>[^:]+(?:: [^:]+)?: (?:${refusals})|syntax error.*|[^:]+: unbound variable)$`,
  ),
  new RegExp(`^(?<message>[a-z][\\w.-]*: [^:]+(?:: [^:]+)?: (?:${refusals}))$`),
);

const readTimeouts = readLines(
  /^(?<message>timeout: sending signal \w+ to command .+)$/,
  /^(?:\w+: )?(?<message>(?:The )?(?:command|process|script|job|step)\b.{0,200}\b(?:timed out|exceeded the timeout)\b.*)$/i,
);

const readPrograms = readLines(
  /^(?<message>curl: \(\d+\) .+)$/,
  /^FATAL ERROR: (?<message>.*(?:out of memory|Allocation failed).*)$/,
  /^CONFLICT \((?<code>[\w/-]+)\): (?<message>.+)$/,
  /^(?<message>\S+@\S+: Permission denied \(.+\)\.)$/,
  /^fatal: (?!\[)(?<message>.+)$/,
  /^(?:ERROR: |error: |docker: )?(?<message>Cannot connect to the Docker daemon.+)$/,
  /^(?<message>unable to prepare context: .+)$/,
);

export const shellReaders: FailureReader[] = [readShell, readTimeouts, readPrograms];

const summary =
  "could not compile|test failed, to rerun|aborting due to|command failed|script .* exited|process completed|ld returned";

/** The innermost reason; the first line often only names the task. */
function gradleReason(body: readonly string[]): string | undefined {
  const texts = textsOf(body);
  const at = texts.findLastIndex((text) => text.startsWith("> "));
  const reason = texts[at]?.replace(/^> /, "") ?? texts[0];
  return reason?.endsWith(":") ? `${reason} ${texts[at + 1] ?? ""}`.trim() : reason;
}

/** Unspecific summary lines; used when nothing else was recognised. */
export const summaryReaders: FailureReader[] = [
  readLines(
    /^(?:\S+: line \d+: +)?(?:\d+ )?(?<message>Segmentation fault|Aborted|Bus error|Killed)\b(?: +\(core dumped\))?(?: {2,}.*)?$/,
    /^(?:g?make)(?:\[\d+\])?: \*\*\* (?=\[(?:(?<file>[^\s:<]+):(?<line>\d+): )?)(?<message>\[.+\] Error \d+).*$/,
    /^(?:g?make)(?:\[\d+\])?: \*\*\* (?<message>[^[].+)$/,
    new RegExp(`^(?:error|ERROR|Error|FATAL|fatal): (?!(?:${summary}))(?<message>.+)$`),
    /^ ! \[(?:remote )?rejected\] +(?<message>.+)$/,
    /^\[ERROR\] (?!To see the full|Re-run Maven|For more information|After correcting|Failed to execute goal .*:\s*$)(?<message>[A-Z'].{9,}?)(?: -> \[Help \d+\])?$/,
    /^error (?<message>Command failed with exit code \d+)\.$/,
    /^go: (?!downloading|finding|extracting|added|upgraded|creating|to add)(?<message>.+)$/,
    /^(?<message>stat .+: directory not found)$/,
    /^(?<code>E(?:NOENT|ISDIR|EXIST|PERM|MFILE|NOSPC|NOTDIR|NOTEMPTY|PIPE|ROFS)): (?<message>.+)$/,
    /^ +[×✕] (?<test>.+?) \(?\d+(?:\.\d+)? ?m?s\)?$/,
    /^(?<message>.*\b(?<code>ECONNREFUSED|EADDRINUSE|ECONNRESET|ETIMEDOUT|ENOTFOUND|EACCES)\b.*)$/,
  ),
  readBlocks(/^\* What went wrong:$/, ({ body }) => ({ message: gradleReason(body) }), /^$/),
];
