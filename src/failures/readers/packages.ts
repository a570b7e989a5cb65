import {
  type Block,
  type FailureReader,
  type Groups,
  readBlocks,
  readersOf,
  readLines,
} from "../failure-reader.js";

/** What npm writes beside its message. */
const npmDetail =
  /^(?:syscall|path|errno|dest|workspace|location|command|cwd|signal|code|While resolving:|node_modules\/| )/;

/** npm's first line has the code; the message may repeat a part of it, and the reason is further down. */
function readNpmBlock({ groups: { code = "" }, body }: Block): Groups {
  const messages = body
    .map((line) => /^npm (?:ERR!|error) (.+)$/.exec(line)?.[1] ?? "")
    .filter((line) => line !== "" && !npmDetail.test(line));
  const first = (messages[0] ?? "").replace(
    new RegExp(`^(?:${code}|${code.slice(1)}|notarget|JSON\\.parse) `, "i"),
    "",
  );
  const peer = messages.find((line) => /^peer .+ from /.test(line));
  const [, found] = /^Found: (.+)$/.exec(messages.find((line) => line.startsWith("Found: ")) ?? "") ?? [];
  const reason = peer ?? messages.find((line) => /^(?:Missing|Invalid): /.test(line));
  if (reason === undefined) return { message: first };
  return { message: `${first} (${reason}${peer && found ? `, found ${found}` : ""})` };
}

const readNpmBlocks = readBlocks(
  /^npm (?:ERR!|error) code (?!ELIFECYCLE)(?<code>E\w+)$/,
  readNpmBlock,
  /^(?!npm )/,
);

/** An excerpt may lack the line with the code. */
const readNpmLines = readLines(
  /^npm (?:ERR!|error) (?:enoent|eacces|eperm|enospc|notarget|network|40\d|E40\d|gyp ERR!) (?!This is |not ok$|errno|In most cases)(?<message>.+)$/,
);

const readNpm: FailureReader = (lines) => {
  const found = readNpmBlocks(lines);
  return found.length > 0 ? found : readNpmLines(lines).slice(0, 1);
};

const readPackageManagers = readLines(
  /^npm (?:ERR!|error) (?<message>Missing script: .+)$/,
  /^\s*(?<code>ERR_PNPM_\w+)\s+(?<message>.+)$/,
  /^error (?<message>Command ".+" not found\.)$/,
  /^error (?<message>(?:Couldn't find|Found incompatible|Your lockfile needs|The engine) .+)$/,
  /^➤ (?<code>YN00(?!00\b)\d\d): .*?(?<message>[^│·]*(?:can't|cannot|couldn't|failed|doesn't|forbidden|invalid|unmet|no candidates)[^│]*)$/i,
);

const readLocks = readLines(
  /^(?:Error: )?(?<message>(?:pyproject\.toml changed significantly|poetry\.lock is not up to date|The lock file .*(?:not up to date|out of date)).*)$/,
);

const maxReason = 300;
const joined = (lines: readonly string[]) =>
  lines
    .map((line) => line.replace(/^[\s│╰─▶]+/, "").trim())
    .join(" ")
    .trim()
    .slice(0, maxReason);

/** The conflict is explained below. */
const readPip: FailureReader = (lines) => [
  ...readBlocks(
    /^ERROR: (?<message>Cannot install .+ because these package versions have conflicting dependencies\.)$/,
    ({ groups: { message = "" }, body }) => {
      const at = body.findIndex((line) => line.startsWith("The conflict is caused by:"));
      const rest = body.slice(at + 1);
      const end = rest.findIndex((line) => line.trim() === "");
      const reasons = rest.slice(0, end < 0 ? 3 : end).map((line) => line.trim());
      return { message: at < 0 ? message : `${message.replace(/\.$/, "")}: ${reasons.join("; ")}` };
    },
    /^ERROR: /,
  )(lines),
  ...readLines(
    /^ERROR: (?<message>(?:Could not find a version|Could not open requirements|Failed building wheel|Could not build wheels|Package '\S+' requires|Invalid requirement|.* is not a supported wheel|Directory .* is not installable).*)$/,
  )(lines),
];

/** Poetry, uv and Bundler explain why versions conflict; the last sentence is the conclusion. */
const readSolvers: FailureReader = (lines) => [
  ...readBlocks(
    /^\s*(?:So, )?(?<start>[Bb]ecause .+)$/,
    ({ groups: { start = "" }, body }) => {
      const end = body.findIndex((line) => line.trim() === "" || /^\s*(?:So, )?[Bb]ecause /.test(line));
      const text = joined([start, ...body.slice(0, end < 0 ? 4 : end)]);
      return /version solving (?:has )?failed|is forbidden|is required/.test(text)
        ? { message: text }
        : undefined;
    },
    /^\s*$/,
  )(lines).filter(({ failure }) => /version solving/.test(failure.message)),
  ...readBlocks(/^\s*[×x] No solution found when resolving .*:$/, ({ body }) => {
    const end = body.findIndex((line) => line.trim() === "" || /^\s*(?:hint|help):/.test(line));
    return { message: joined(body.slice(0, end < 0 ? 6 : end)) };
  })(lines),
];

/** Why a gem with native code could not be built is printed further up. */
const readNativeGems: FailureReader = (lines) =>
  readLines(/^(?<message>An error occurred while installing .+), and Bundler cannot continue\.$/)(lines).map(
    ({ at, failure }) => {
      const reason = lines
        .slice(Math.max(0, at - 60), at)
        .findLast((line) =>
          /^(?:Can't find|.*\b(?:fatal )?error: |\S.* is missing|checking for .*\.\.\. no$)/.test(line),
        );
      const message = reason === undefined ? failure.message : `${failure.message} (${reason.trim()})`;
      return { at, failure: { ...failure, message } };
    },
  );

const readBundler = readLines(
  /^(?<message>Could not find (?:gem ')?\S+.* in (?:any of the sources|locally installed gems|rubygems repository|any of the gem sources).*)$/,
  /^(?<message>Bundler could not find compatible versions for gem .+)$/,
  /^(?<message>Your (?:Ruby version is|bundle is locked to) .+)$/,
);

const readComposer = readBlocks(
  /^ {2}Problem \d+$/,
  ({ body }) => {
    const first = body[0]?.replace(/^\s*- /, "").trim();
    return first === undefined || first === "" ? undefined : { message: first };
  },
  /^$/,
);

/** Cargo tells who asked for the versions that do not fit. */
const readCargo = readBlocks(
  /^error: (?<message>failed to (?:select a version for|get|resolve|parse manifest|load).+)$/,
  ({ groups: { message = "" }, body }) => {
    const reason =
      body.find((line) =>
        /^(?:candidate versions found|the package .* depends on|no matching package|failed to select)/.test(
          line,
        ),
      ) ?? body.find((line, at) => /^Caused by:$/.test(body[at - 1] ?? "") && line.trim() !== "");
    return { message: reason === undefined ? message : `${message} (${reason.trim()})` };
  },
);

export const packageReaders: FailureReader[] = [
  readersOf("npm", readNpm),
  readPackageManagers,
  readersOf("pip", readPip),
  readSolvers,
  readLocks,
  readersOf("bundler", readBundler, readNativeGems),
  readersOf("composer", readComposer),
  readersOf("cargo", readCargo),
];
