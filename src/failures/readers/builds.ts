import {
  type Block,
  type FailureReader,
  findBlocks,
  firstParagraph,
  type Groups,
  listGroups,
  readBlocks,
  readLines,
  textsOf,
  toFailure,
} from "../failure-reader.js";

/** The rule is in the last column, after two spaces; a file that cannot be parsed has none. Yamllint prints the same. */
const readEslint: FailureReader = (lines) => {
  const isStrict = lines.some((line) => /^ESLint found too many warnings/.test(line));
  let file = "";
  return lines.flatMap((line, at) => {
    if (/^\S+\.\w+$/.test(line)) file = line;
    const groups =
      /^ +(?<line>\d+):\d+ +(?<kind>error|warning) +(?<message>.+?)(?: {2,}\(?(?<code>[^\s()]+)\)?)?$/.exec(
        line,
      )?.groups;
    if (groups === undefined || file === "" || (groups.kind === "warning" && !isStrict)) return [];
    const tool = /\.ya?ml$/.test(file) ? "yamllint" : "eslint";
    return [{ at, failure: toFailure({ tool, file, ...groups }) }];
  });
};

/** Clippy names a lint only in its notes. */
const readRust = readBlocks(
  "",
  /^error(?:\[(?<code>\w+)\])?: (?<message>.+)$/,
  ({ groups, body }) => {
    const [place] = listGroups(body, /^ *--> (?<file>[^:]+):(?<line>\d+):\d+$/);
    const [{ lint } = {}] = listGroups(body, /rust-clippy\/\S+#(?<lint>\w+)$/);
    return place && { ...place, code: groups.code ?? (lint && `clippy::${lint}`) };
  },
  /^$/,
);

/** Annotations that several tools print on GitHub Actions. */
const readWorkflowErrors: FailureReader = (lines) =>
  lines.flatMap((line, at) => {
    const [, list, message] = /^::error (.*?)::(.*)$/.exec(line) ?? [];
    if (list === undefined) return [];
    const { title: code, ...known } = Object.fromEntries(list.split(",").map((part) => part.split("=")));
    return [{ at, failure: toFailure({ ...known, code, message }) }];
  });

/** Formatters that only name the files they would change. */
const readFormatters: FailureReader = (lines) => {
  const isPrettier = lines.some((line) => /^\[warn\] Code style issues (?:found|were detected)/.test(line));
  const prettier = readLines("prettier", /^\[warn\] (?<file>[^\s:]+\.\w+)$/);
  const others = readLines(
    "",
    /^would reformat (?<file>\S+\.\w+)$/,
    /^Diff in (?<file>\S+?\.rs)(?: at line |:)(?<line>\d+):$/,
  );
  return [...(isPrettier ? prettier(lines) : []), ...others(lines)].map(({ at, failure }) => ({
    at,
    failure: { ...failure, message: isPrettier ? "Code style issues found" : "not formatted" },
  }));
};

/** Vite and Rollup put the place in front of the message, or below it. */
function readRollupMessage(text: string, body: readonly string[]): Groups {
  const [, file, line, rest] = /^(?:\[[^\]]+\] )?(?:\S+\/)?(\S+\.\w+) \((\d+):\d+\): (.+)$/.exec(text) ?? [];
  const [below] = listGroups(
    body,
    /^(?:file: )?(?<file>[^\s:]+\.\w+)(?::(?<line>\d+):\d+| \((?<row>\d+):\d+\))?$/,
  );
  const importer = / from "([^"]+)"/.exec(text)?.[1];
  return {
    file: below?.file ?? file ?? importer,
    line: file === undefined ? (below?.line ?? below?.row) : line,
    message: rest ?? text,
  };
}

const readVite = readBlocks(
  "vite",
  /^error during build:$/,
  ({ body }) => {
    const [text = ""] = textsOf(body);
    // An error of Node, such as of the settings file, has its own reader.
    if (/^[A-Z]\w*Error(?: \[\w+\])?: (?!.*\bresolve\b)/.test(text)) return undefined;
    return readRollupMessage(text.replace(/^\w*Error: /, ""), body.slice(1, 8));
  },
  /^$/,
);

const readRollup = readBlocks(
  "rollup",
  /^\[!\] (?:\(plugin (?<plugin>[^)]+)\) )?(?:\w+: )?(?<message>.+)$/,
  ({ groups: { message = "" }, body }) => readRollupMessage(message, body.slice(0, 6)),
  /^$/,
);

export const buildReaders: FailureReader[] = [
  readEslint,
  readRust,
  readWorkflowErrors,
  readFormatters,
  readVite,
  readRollup,
];

/** Lines that npm prints besides its message. */
const npmDetail =
  /^(?:syscall|path|errno|dest|workspace|location|command|cwd|signal|code|While resolving:|node_modules\/| )/;

/** npm's first line has the code; the message may repeat part of it, and the reason is further down. */
function readNpmBlock({ groups: { code = "" }, body }: Block): Groups {
  const messages = body
    .map((line) => /^npm (?:ERR!|error) (.+)$/.exec(line)?.[1] ?? "")
    .filter((line) => line !== "" && !npmDetail.test(line));
  const first = (messages[0] ?? "").replace(
    new RegExp(`^(?:${code}|${code.slice(1)}|notarget|JSON\\.parse) `, "i"),
    "",
  );
  const peer = messages.find((line) => /^peer .+ from /.test(line));
  const found = /^Found: (.+)$/.exec(messages.find((line) => line.startsWith("Found: ")) ?? "")?.[1];
  const reason = peer ?? messages.find((line) => /^(?:Missing|Invalid): /.test(line));
  if (reason === undefined) return { message: first };
  return { message: `${first} (${reason}${peer && found ? `, found ${found}` : ""})` };
}

const readNpmBlocks = readBlocks(
  "npm",
  /^npm (?:ERR!|error) code (?!ELIFECYCLE)(?<code>E\w+)$/,
  readNpmBlock,
  /^(?!npm )/,
);

/** An excerpt may lack the line with the code. */
const readNpmLines = readLines(
  "npm",
  /^npm (?:ERR!|error) (?:enoent|eacces|eperm|enospc|notarget|network|40\d|E40\d|gyp ERR!) (?!This is |not ok$|errno|In most cases)(?<message>.+)$/,
);

const readNpm: FailureReader = (lines) => {
  const found = readNpmBlocks(lines);
  return found.length > 0 ? found : readNpmLines(lines).slice(0, 1);
};

const maxDetail = 200;

/** Terraform draws a box around an error, unless it has no colours; the title alone is often the same for many errors. */
const readTerraform: FailureReader = (lines) => {
  const plain = lines.map((line) => line.replace(/^[│╷╵] ?/, ""));
  return findBlocks(plain, /^Error: (?<title>.+)$/, /^Warning: /).flatMap(({ at, groups, body }) => {
    const isBoxed = lines[at]?.startsWith("│") === true;
    const end = lines.findIndex((line, index) => index > at && isBoxed && !line.startsWith("│"));
    const inside = body.slice(0, end < 0 ? 30 : end - at - 1);
    const [place] = listGroups(inside, /^ {2}on (?<file>\S+) line (?<line>\d+)/);
    if (!isBoxed && place === undefined) return [];
    const title = [groups.title, /^\S/.test(inside[0] ?? "") ? firstParagraph(inside) : ""].join(" ").trim();
    const gap = inside.findLastIndex(
      (line, index) => line.trim() === "" && /^\S/.test(inside[index + 1] ?? ""),
    );
    const detail = gap < 0 ? "" : firstParagraph(inside.slice(gap));
    const message = [title, detail.slice(0, maxDetail)].filter(Boolean).join(": ");
    return [{ at, failure: toFailure({ tool: "terraform", ...place, message }) }];
  });
};

/** The output of a task that runs a program is more specific than its message. */
const readAnsible: FailureReader = (lines) => {
  let task = "";
  return lines.flatMap((line, at) => {
    const found = (message: string) => [{ at, failure: toFailure({ tool: "ansible", message }) }];
    task = /^(?:TASK|RUNNING HANDLER|HANDLER) \[(.+?)\] \*+$/.exec(line)?.[1] ?? task;
    const playbook = /^(?:ERROR! |\[ERROR\]: )(.+)$/.exec(line)?.[1];
    if (playbook !== undefined) return found(playbook);
    const [, kind = "failed", result] =
      /^(?:fatal|failed): \[[^\]]+\](?: => \(item=.*?\))?:? ?(FAILED!|UNREACHABLE!)? ?=> (.*)$/.exec(line) ??
      [];
    if (result === undefined || lines[at + 1]?.startsWith("...ignoring")) return [];
    const fields = result === "{" ? lines.slice(at + 1, at + 60).join("\n") : result;
    const message = lastLineOf(fields, "stderr") ?? lastLineOf(fields, "msg") ?? kind;
    return found(task === "" ? message : `${message} (task ${task})`);
  });
};

function lastLineOf(json: string, field: string): string | undefined {
  const value = new RegExp(`"${field}": "((?:[^"\\\\]|\\\\.){0,600})`).exec(json)?.[1] ?? "";
  const lines = value.replace(/\\"/g, '"').split("\\n");
  return lines.findLast((line) => line.trim() !== "");
}

export const machineReaders: FailureReader[] = [readNpm, readTerraform, readAnsible];

/** The innermost reason; the first line often only names the task. */
export const readGradle = readBlocks(
  "",
  /^\* What went wrong:$/,
  ({ body }) => {
    const texts = textsOf(body);
    const at = Math.max(
      0,
      texts.findLastIndex((text) => text.startsWith("> ")),
    );
    const reason = (texts[at] ?? "").replace(/^> /, "");
    return { message: reason.endsWith(":") ? `${reason} ${texts[at + 1] ?? ""}` : reason };
  },
  /^$/,
);
