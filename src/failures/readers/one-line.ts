import { type FailureReader, readBelowFile, readLines } from "../failure-reader.js";

/** Summaries of test runners whose details are missing. */
export const testLines: FailureReader[] = [
  readLines(
    "swift",
    /^(?<file>\/?[^\s:]+\.swift):(?<line>\d+): error: (?:-\[)?(?<test>[\w.]+[. ]test\w*)\]? : (?<message>.+)$/,
    /^[✘×] Test (?<test>.+?) recorded an issue at (?<file>[^\s:]+\.swift):(?<line>\d+):\d+: (?<message>.+)$/,
  ),
];

/** Compilers, linters and other checkers. */
export const checkerLines: FailureReader[] = [
  readLines(
    "tsc",
    /^(?<file>[^\s(][^(]*)\((?<line>\d+),\d+\): error (?<code>TS\d+): (?<message>.+)$/,
    /^(?:Error: )?(?<file>[^\s:][^:]*):(?<line>\d+):\d+ - error (?<code>TS-?\d+|NG\d+): (?<message>.+)$/,
    /^error (?<code>TS\d+): (?<message>.+)$/,
  ),
  // The project at the end of the line is where the compiler ran, not where the error is.
  readLines(
    "dotnet",
    /^\s*(?<file>[^\s(][^(]*\.\w+)\((?<line>\d+)(?:,\d+){0,3}\): error (?<code>(?!TS\d)[A-Z]{2,}\d*): (?<message>.+?)(?: \[[^\]]+proj(?:::[^\]]*)?\])?$/,
    /^\s*(?<file>\S+\.(?:\w+proj|sln|props|targets)) : error (?<code>[A-Z]+\d+): (?<message>.+?)(?: \[[^\]]+\])?$/,
    /^(?:MSBUILD|CSC|NUGET|VBC|FSC|EXEC) *: error (?<code>[A-Z]+\d+): (?<message>.+?)(?: \[[^\]]+\])?$/,
  ),
  // gcc, clang, javac, mypy and rustc's short form, with or without a code; golangci-lint ends a line with the linter.
  readLines(
    "",
    /^(?:e: |:\w+(?=\/))?(?<file>(?:[A-Za-z]:)?[^\s:][^:]*):(?<line>\d+):(?:\d+:)? (?:fatal )?error: (?!\[GHC-)(?<message>.*\S) +\[(?<code>[\w=+-]+)\]$/,
    /^(?:e: |:\w+(?=\/))?(?<file>(?:[A-Za-z]:)?[^\s:][^:]*):(?<line>\d+):(?:\d+:)? (?:fatal )?error(?:\[(?<code>\w+)\])?: (?!\[GHC-)(?<message>.+)$/,
    /^(?:vet: )?(?<file>[^\s:]+\.go):(?<line>\d+):\d+: (?<message>.*\S) \((?<code>[a-z][a-z0-9]{2,20})\)$/,
    /^(?:vet: )?(?<file>[^\s:]+\.go):(?<line>\d+):\d+: (?<message>.+?)(?:; to add it:)?$/,
    /^e: (?:file:\/\/)?(?<file>(?:[A-Za-z]:)?[^\s:]+\.kts?): \((?<line>\d+), \d+\): (?<message>.+)$/,
    /^e: (?:file:\/\/)?(?<file>\S+?\.kts?):(?<line>\d+):\d+:? (?!error: )(?<message>.+)$/,
    /^\[error\] (?<file>[^\s:]+\.(?:scala|sc|java)):(?<line>\d+):\d+: (?<message>.+)$/,
    /^\[ERROR\] (?<file>\S+\.\w+):\[(?<line>\d+),\d+\] (?<message>.+)$/,
  ),
  // linkers
  readLines(
    "",
    /^(?:\S*ld: )?(?<file>[^\s:]+\.\w+):(?:(?<line>\d+)|\(\S+\)): (?<message>(?:undefined reference to|multiple definition of) .+)$/,
    /^\S*ld: (?:\S+: )?(?<message>cannot find .+)$/,
    /^(?:ld\.\w+|ld64\.lld|rust-lld): error: (?<message>.+)$/,
    /^(?:cc1(?:plus)?|gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?): (?:fatal )?error: (?!linker command failed)(?<message>.+)$/,
  ),
  readLines(
    "eslint",
    /^(?<file>[^\s:][^:]*): line (?<line>\d+), col \d+, Error - (?<message>.*?)(?: \((?<code>[\w@/-]+)\))?$/,
    /^(?<file>[^\s:][^:]*):(?<line>\d+):\d+: (?<message>.*) \[Error(?:\/(?<code>[^\]]+))?\]$/,
  ),
  // ruff and flake8
  readLines(
    "",
    /^(?<file>[^\s:]+\.pyi?):(?<line>\d+):\d+: (?<code>[A-Z]+\d+|[a-z]+-[a-z-]+:?) (?:\[\*\] )?(?<message>.+)$/,
  ),
  readLines(
    "markdownlint",
    /^(?<file>\S.*?):(?<line>\d+)(?::\d+)? (?:error )?(?<code>MD\d{3})(?:\/\S+)? (?<message>.+?)(?: \[Context: .*\])?$/,
  ),
  readLines(
    "cspell",
    /^(?<file>\S.*?):(?<line>\d+):\d+ - (?<message>(?:Unknown|Forbidden|Misspelled) word \(.+?\)).*$/,
  ),
  readLines(
    "rubocop",
    /^(?<file>[^\s:]+):(?<line>\d+):\d+: [CWEFRI]: (?:\[Correctable\] )?(?<code>[A-Z]\w*(?:\/\w+)+): (?<message>.+)$/,
  ),
  readLines(
    "shellcheck",
    /^(?<file>[^\s:]+):(?<line>\d+):\d+: (?:error|warning|note|info|style): (?<message>.+) \[(?<code>SC\d{4})\]$/,
  ),
  readLines(
    "prettier",
    /^\[error\] (?<file>[^\s:]+\.\w+): (?<message>\w*Error: .+?)(?: \((?<line>\d+):\d+\))?$/,
  ),
  readLines(
    "dart",
    /^\s*error [•-] (?<message>.+?) [•-] (?<file>[^\s:]+):(?<line>\d+):\d+ [•-] (?<code>\w+)$/,
    /^(?<file>[^\s:]+\.dart):(?<line>\d+):\d+: Error: (?<message>.+)$/,
  ),
  readLines("detekt", /^\s+(?<code>[A-Z]\w+) - \[(?<message>[^\]]+)\] at (?<file>[^\s:]+):(?<line>\d+):\d+/),
  readLines("size-limit", /^\s*FAIL {1,2}(?<file>\S+): (?<message>.+ > maxSize .+)$/),
  readLines("", /^\(!\) (?<message>Found dead link \S+) in file (?<file>\S+)$/),
  // Coverage below its threshold fails a run whose tests pass.
  readLines(
    "",
    /^(?:ERROR: |FAIL )?(?<message>Required test coverage of .+ not reached\..*)$/,
    /^(?:Jest: )?(?<message>".+" coverage threshold for .+ not met: .+)$/,
    /^(?:ERROR: )?(?<message>Coverage for .+ does not meet .*threshold.*)$/,
    /^(?:ERROR: )?(?<message>Coverage failure: total of .+)$/,
    /^(?<message>(?:Line|Branch|Method) coverage \(.+\) is below the expected minimum coverage .+)$/,
  ),
  readBelowFile(
    "vale",
    /^ (?<file>\S+\.\w+)$/,
    /^ (?<line>\d+):\d+ +error +(?<message>\S.*?) {2,}(?<code>[A-Z]\w*\.\w+)\s*$/,
  ),
  readBelowFile(
    "stylelint",
    /^(?<file>\S+\.\w+)$/,
    /^ +(?<line>\d+):\d+ +[✖×] +(?<message>\S.*?) {2,}(?<code>[\w@/-]+)$/,
  ),
  readBelowFile(
    "phpstan",
    /^ {2}Line {2,}(?<file>\S+\.php)\s*$/,
    /^ {2,3}(?<line>\d+) {2,}(?<message>\S.*?)\s*$/,
  ),
  readBelowFile(
    "sqlfluff",
    /^== \[(?<file>\S+)\] FAIL$/,
    /^L: +(?<line>\d+) \| P: +\d+ \| +(?<code>\w+) \| (?<message>.+)$/,
  ),
];

const refusals =
  "No such file or directory|Permission denied|Is a directory|Not a directory|Connection refused|Address already in use|No space left on device|Operation not permitted|Read-only file system|unbound variable|Exec format error";

/** Other programs that commands run: databases, package managers, machines, shells. */
export const programLines: FailureReader[] = [
  // Exceptions of Ruby, PHP and Elixir, which put the place on the same line.
  readLines(
    "",
    /^(?<file>[^\s:]+\.(?:rb|rake|ru)|-e|[^\s:]+\/bin\/[^\s:]+):(?<line>\d+):in [`'].*?': (?<message>.+) \((?<code>[A-Z][\w:]*)\)$/,
    /^(?<file>[^\s:]+\.rb):(?<line>\d+): (?<message>syntax errors?.*)$/,
    /^(?:PHP )?(?:Fatal|Parse|Recoverable fatal|Compile) error: +(?:Uncaught (?<code>[A-Za-z_][\w\\]*): )?(?<message>.+?) in (?<file>\S+?)(?::| on line )(?<line>\d+)$/,
    /^\*\* \((?<code>(?!Postgrex|MyXQL|DBConnection)\w[\w.]*)\) (?:(?<file>\S+\.exs?):(?<line>\d+):(?:\d+:)? )?(?<message>.+)$/,
    /^(?:\S+: )?(?<file>\S+\.\w+):(?<line>\d+): .*(?<message>Assertion `.*' failed)\.$/,
  ),
  readLines("django", /^(?<model>\S+): \((?<code>\w+\.[EC]\d{3})\) (?<message>.+)$/),
  // migrations
  readLines(
    "",
    /^migration failed with error: (?<message>.+)$/,
    /^(?:error: )?migration failed(?: in line \d+)?: (?<message>.+?)(?: in line \d+: .*)?$/,
    /^(?:FAILED: |ERROR \[alembic\.\S+\] )(?<message>.+)$/,
    /^goose run: (?:ERROR )?(?<message>.+)$/,
    /^\*\* \((?<code>(?:Postgrex|MyXQL|Exqlite|DBConnection|Ecto)\.\w+)\) (?:ERROR \w{5} \(\w+\) )?(?<message>.+)$/,
  ),
  // psql, mysql, sqlite3 and the servers' own logs
  readLines(
    "",
    /^psql:(?<file>[^:]+):(?<line>\d+): (?:ERROR|FATAL): +(?<message>.+)$/,
    /^(?:psql: error: .*)?(?:ERROR|FATAL|PANIC): {2}(?<message>\S.+)$/,
    /^ERROR (?<code>\d{4} \(\w{5}\))(?: at line (?<line>\d+))?(?: in file: '(?<file>[^']+)')?: (?<message>.+)$/,
    /^(?:Parse|Runtime) error near line (?<line>\d+): (?<message>.+)$/,
  ),
  // package managers
  readLines(
    "",
    /^npm (?:ERR!|error) (?<message>Missing script: .+)$/,
    /^\s*(?<code>ERR_PNPM_\w+)\s+(?<message>.+)$/,
    /^error (?<message>Command ".+" not found\.)$/,
    /^error (?<message>(?:Couldn't find|Found incompatible|Your lockfile needs|The engine) .+)$/,
    /^➤ (?<code>YN00(?!00\b)\d\d): .*?(?<message>[^│·]*(?:can't|cannot|couldn't|failed|doesn't|forbidden|invalid|unmet|no candidates)[^│]*)$/i,
    /^\s*(?:So, )?(?<message>[Bb]ecause .+version solving (?:has )?failed.*)$/,
    /^(?:Error: )?(?<message>(?:pyproject\.toml changed significantly|poetry\.lock is not up to date|The lock file .*(?:not up to date|out of date)).*)$/,
  ),
  readLines(
    "pip",
    /^ERROR: (?<message>(?:Could not find a version|Could not open requirements|Failed building wheel|Could not build wheels|Package '\S+' requires|Invalid requirement|.* is not a supported wheel|Directory .* is not installable).*)$/,
  ),
  readLines(
    "bundler",
    /^(?<message>Could not find (?:gem ')?\S+.* in (?:any of the sources|locally installed gems|rubygems repository|any of the gem sources).*)$/,
    /^(?<message>Bundler could not find compatible versions for gem .+)$/,
    /^(?<message>Your (?:Ruby version is|bundle is locked to) .+)$/,
  ),
  readLines(
    "kubernetes",
    /^Error: (?:INSTALLATION FAILED|UPGRADE FAILED|ROLLBACK FAILED|UNINSTALL FAILED): (?<message>.+)$/,
    /^(?:Error|\[ERROR\])(?:: | )(?:templates\/: )?(?<message>(?:parse error at|template:|YAML parse error on|execution error at) \(?\S*?(?<file>[^\s:()/]+\/(?:charts\/|templates\/)[^\s:()]+|templates\/[^\s:()]+):(?<line>\d+).+)$/,
    /^(?<message>Error from server(?: \(\w+\))?: .+)$/,
    /^(?<message>The \w+ "[^"]+" is invalid: .+)$/,
    /^error: (?<message>(?:error validating|error parsing|unable to recognize|resource mapping not found|no matches for kind|timed out waiting).+)$/,
    /^(?<message>(?:deployment|statefulset|daemonset|pod|job)\S* ".+" (?:exceeded its progress deadline|was forbidden).*)$/,
  ),
  // The program run by a build step reports its own errors; these are errors of the build itself.
  readLines(
    "docker",
    /^(?:ERROR: )?failed to solve: (?!process )(?<message>.+)$/,
    /^(?<message>COPY failed: .+|ADD failed: .+)$/,
    /^ERROR: (?<message>failed to (?:build|calculate checksum|compute cache key|push|receive status).+)$/,
    /^(?:docker: )?Error response from daemon: (?<message>.+)$/,
  ),
  // A shell prefixes its errors with its own name, or with the script and line.
  readLines(
    "",
    /^-?(?:\/\S*\/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?(?<message>[\w./@+-]+: (?:command )?not found)$/,
    /^(?<file>[^\s:]+): (?:line )?(?<line>\d+): (?<message>[\w./@+-]+: (?:command )?not found)$/,
    /^(?<message>[\w./@+-]+: command not found)$/,
    /^(?:zsh:(?:\d+:)?|(?<file>[^\s:]+):(?<line>\d+):) (?<message>(?:command not found|no such file or directory|permission denied): .+)$/,
    new RegExp(`^-?(?:ba|da|z|k)?sh: (?:line )?(?:\\d+: )?(?<message>[^:]+(?:: [^:]+)?: (?:${refusals}))$`),
    new RegExp(
      `^(?<file>[^\\s:]+): (?:line )?(?<line>\\d+): (?<message>[^:]+(?:: [^:]+)?: (?:${refusals})|syntax error.*|[^:]+: unbound variable)$`,
    ),
    new RegExp(`^(?<message>[a-z][\\w.-]*: [^:]+(?:: [^:]+)?: (?:${refusals}))$`),
  ),
  readLines(
    "",
    /^(?<message>timeout: sending signal \w+ to command .+)$/,
    /^(?:\w+: )?(?<message>(?:The )?(?:command|process|script|job|step)\b.{0,200}\b(?:timed out|exceeded the timeout)\b.*)$/i,
  ),
  readLines(
    "",
    /^(?<message>curl: \(\d+\) .+)$/,
    /^FATAL ERROR: (?<message>.*(?:out of memory|Allocation failed).*)$/,
    /^CONFLICT \((?<code>[\w/-]+)\): (?<message>.+)$/,
    /^(?<message>\S+@\S+: Permission denied \(.+\)\.)$/,
    /^fatal: (?!\[)(?<message>.+)$/,
    /^(?:ERROR: |error: |docker: )?(?<message>Cannot connect to the Docker daemon.+)$/,
    /^(?<message>unable to prepare context: .+)$/,
  ),
];

const summary =
  "could not compile|test failed, to rerun|aborting due to|command failed|script .* exited|process completed|ld returned";

/** Unspecific summary lines; used when nothing else was recognised. */
export const summaryLines: FailureReader[] = [
  readLines(
    "",
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
];
