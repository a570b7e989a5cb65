import {
  type FailureReader,
  findBlocks,
  readersOf,
  readLines,
  textsOf,
  toFailure,
} from "../failure-reader.js";

const maxDetail = 200;

/** Terraform draws a box around an error, unless it has no colours; the title alone is often the same for many errors. */
const readTerraform: FailureReader = (lines) => {
  const plain = lines.map((line) => line.replace(/^[│╷╵] ?/, ""));
  const header = /^Error: (?<title>.+)$/;
  return findBlocks(plain, header, /^Warning: /).flatMap(({ at, groups, body }) => {
    const isBoxed = lines[at]?.startsWith("│") === true;
    const end = isBoxed ? body.findIndex((_, index) => !/^[│]/.test(lines[at + 1 + index] ?? "")) : -1;
    const inside = end < 0 ? body.slice(0, 30) : body.slice(0, end);
    const place = inside
      .map((line) => /^ {2}on (?<file>\S+) line (?<line>\d+)/.exec(line)?.groups)
      .find((found) => found !== undefined);
    if (!isBoxed && place === undefined) return [];
    const title = [groups.title ?? "", ...wrapped(inside)].join(" ");
    const detail = detailOf(inside);
    const message = detail === "" ? title : `${title}: ${detail}`;
    return [{ at, failure: toFailure({ ...place, message }) }];
  });
};

/** A long title goes on in the next lines. */
function wrapped(body: readonly string[]): string[] {
  const end = body.findIndex((line) => line.trim() === "" || line.startsWith("  "));
  return (end < 0 ? body : body.slice(0, end)).map((line) => line.trim()).slice(0, 4);
}

/** The last paragraph explains the error. */
function detailOf(body: readonly string[]): string {
  const gaps = body.flatMap((line, at) => (line.trim() === "" ? [at] : []));
  const paragraphs = gaps
    .map((gap, index) => body.slice(gap + 1, gaps[index + 1] ?? body.length))
    .filter((lines) => lines.length > 0 && !/^ {2}/.test(lines[0] ?? ""));
  const [lines = []] = paragraphs;
  const end = lines.findIndex((line) => line.trim().endsWith(":"));
  const text = textsOf(end < 0 ? lines : lines.slice(0, Math.max(1, end))).join(" ");
  return text.length > maxDetail ? `${text.slice(0, maxDetail)}…` : text;
}

const readKubernetes = readLines(
  /^Error: (?:INSTALLATION FAILED|UPGRADE FAILED|ROLLBACK FAILED|UNINSTALL FAILED): (?<message>.+)$/,
  /^(?:Error|\[ERROR\])(?:: | )(?:templates\/: )?(?<message>(?:parse error at|template:|YAML parse error on|execution error at) \(?\S*?(?<file>[^\s:()/]+\/(?:charts\/|templates\/)[^\s:()]+|templates\/[^\s:()]+):(?<line>\d+).+)$/,
  /^(?<message>Error from server(?: \(\w+\))?: .+)$/,
  /^(?<message>The \w+ "[^"]+" is invalid: .+)$/,
  /^error: (?<message>(?:error validating|error parsing|unable to recognize|resource mapping not found|no matches for kind|timed out waiting).+)$/,
  /^(?<message>(?:deployment|statefulset|daemonset|pod|job)\S* ".+" (?:exceeded its progress deadline|was forbidden).*)$/,
);

/** A task that runs a program says more in its output than in its message. */
const readAnsible: FailureReader = (lines) => {
  let task = "";
  return lines.flatMap((line, at) => {
    const [, name] = /^(?:TASK|RUNNING HANDLER|HANDLER) \[(.+?)\] \*+$/.exec(line) ?? [];
    if (name !== undefined) task = name;
    const [, playbook] = /^(?:ERROR! |\[ERROR\]: )(.+)$/.exec(line) ?? [];
    if (playbook !== undefined) return [{ at, failure: toFailure({ message: playbook }) }];
    const [, kind, result] =
      /^(?:fatal|failed): \[[^\]]+\](?: => \(item=.*?\))?:? ?(FAILED!|UNREACHABLE!)? ?=> (.*)$/.exec(line) ??
      [];
    if (result === undefined || (lines[at + 1] ?? "").startsWith("...ignoring")) return [];
    const fields = result === "{" ? lines.slice(at + 1, at + 60).join("\n") : result;
    const message = fieldOf(fields, "stderr") || fieldOf(fields, "msg") || kind || "failed";
    return [{ at, failure: toFailure({ message: task === "" ? message : `${message} (task ${task})` }) }];
  });
};

function fieldOf(json: string, name: string): string {
  const [, value = ""] = new RegExp(`"${name}": "((?:[^"\\\\]|\\\\.){0,600})`).exec(json) ?? [];
  return (
    value
      .replace(/\\"/g, '"')
      .split("\\n")
      .findLast((line) => line.trim() !== "") ?? ""
  );
}

/** What went wrong in a step is printed by its program; these are errors of the build itself. */
const readDocker = readLines(
  /^(?:ERROR: )?failed to solve: (?!process )(?<message>.+)$/,
  /^(?<message>COPY failed: .+|ADD failed: .+)$/,
  /^ERROR: (?<message>failed to (?:build|calculate checksum|compute cache key|push|receive status).+)$/,
  /^(?:docker: )?Error response from daemon: (?<message>.+)$/,
);

export const infrastructureReaders: FailureReader[] = [
  readersOf("terraform", readTerraform),
  readersOf("kubernetes", readKubernetes),
  readersOf("ansible", readAnsible),
  readersOf("docker", readDocker),
];
