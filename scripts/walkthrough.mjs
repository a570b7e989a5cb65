import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const main = join(import.meta.dirname, "../dist/cli/main.cjs");

/** A block of commands, the block with their output where one follows, and the parts of that output that matter. */
const stepPattern =
  /^```sh\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n(?:\n<!-- expect\n([\s\S]*?)-->\n)?)?/gm;

/** A last line that says: the output goes on. */
const cut = "…\n";

/** The steps of a document whose commands can be run: see CONTRIBUTING.md. */
export function readSteps(markdown) {
  return [...markdown.matchAll(stepPattern)].map(([, commands, shown, expected = ""]) => ({
    commands,
    shown,
    expected: expected.split("\n").filter((line) => line !== ""),
  }));
}

/**
 * The first expectation that a text does not meet. Each is met by a line that holds its parts in order, below the line that met
 * the one before it; `…` parts them.
 */
export function findMissing(expected, text) {
  const lines = text.split("\n").map(onlySpaces);
  let from = 0;
  for (const expectation of expected) {
    const parts = expectation.split("…").map((part) => onlySpaces(part).trim());
    const at = lines.findIndex((line, index) => index >= from && holds(line, parts));
    if (at === -1) return expectation;
    from = at + 1;
  }
  return undefined;
}

const onlySpaces = (text) => text.replaceAll(/\s+/g, " ");

function holds(line, parts) {
  let from = 0;
  return parts.every((part) => {
    const at = line.indexOf(part, from);
    from = at + part.length;
    return at !== -1;
  });
}

/** Runs the steps in one shell, in a home of their own, and gives what each of them printed. */
export async function playSteps(steps) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-walkthrough-")));
  try {
    const [home, temporary, programs] = ["home", "tmp", "bin"].map((name) => join(folder, name));
    for (const each of [home, temporary, programs]) mkdirSync(each);
    writeFileSync(join(programs, "ralph"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
    chmodSync(join(programs, "ralph"), 0o755);

    const mark = "--- end of step ---";
    const script = join(folder, "script.sh");
    const parts = steps.map(({ commands }) => `${commands}printf '\\n%s\\n' '${mark}'\n`);
    writeFileSync(script, `exec 2>&1\nset -e\n${parts.join("")}`);
    const { error, stdout } = await runShell(script, home, {
      ...inheritedEnvironment(),
      HOME: home,
      RALPH_HOME: join(home, ".ralph"),
      TMPDIR: temporary,
      PATH: [programs, process.env.PATH].join(delimiter),
    });
    const outputs = stdout
      .replaceAll(home, "/home/you")
      .replaceAll(temporary, "/tmp")
      .split(`\n${mark}\n`)
      .map((output) => `${output.replaceAll(/[ \t]+$/gm, "").trim()}\n`);
    if (error === null) return outputs.slice(0, -1);
    throw new Error(`This failed:\n${steps[outputs.length - 1]?.commands}and printed:\n${outputs.at(-1)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runShell(script, cwd, env) {
  return new Promise((done) => {
    const child = execFile("sh", [script], { cwd, env, timeout: 120_000 }, (error, stdout) =>
      done({ error, stdout }),
    );
    child.stdin?.end();
  });
}

/** The settings of whoever runs this change nothing; a commit needs an author. */
function inheritedEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(RALPH_|GIT_|NODE_EXTRA_CA_CERTS$)/.test(name),
  );
  const author = { NAME: "You", EMAIL: "you@example.com" };
  const git = Object.entries(author).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  return { ...Object.fromEntries([...kept, ...git]), GIT_CONFIG_NOSYSTEM: "1", NO_COLOR: "1" };
}

/** The document with what its commands print now. It stays as it is when only ids and times differ, which then fit together. */
export async function refresh(markdown) {
  const outputs = await playSteps(readSteps(markdown));
  const refreshed = markdown.replace(stepPattern, (step, _commands, shown) => {
    const output = outputs.shift();
    if (shown === undefined) return step;
    const fresh = shown.endsWith(cut) ? firstParagraphs(output, shown) : output;
    return step.replace(`\`\`\`text\n${shown}`, () => `\`\`\`text\n${fresh}`);
  });
  return withoutChanging(refreshed) === withoutChanging(markdown) ? markdown : refreshed;
}

/** As many paragraphs as were shown, and the sign that more follow. */
function firstParagraphs(output, shown) {
  const count = shown.split("\n\n").length - 1;
  return `${output.split("\n\n").slice(0, count).join("\n\n")}\n\n${cut}`;
}

/** A text without what is different in each run. */
function withoutChanging(text) {
  return text
    .replaceAll(/\b(mem|learn)-[0-9a-f-]+/g, "$1-ID")
    .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z?)?/g, "TIME")
    .replaceAll(/\b\d+(\.\d+)?s\b/g, "DURATION")
    .replaceAll(/\b\d+( of \d+)? tokens/g, "TOKENS")
    .replaceAll(/(time_to_completion_seconds).*/g, "$1")
    .replaceAll(/(SQLite) [\d.]+/g, "$1")
    .replaceAll(/ralph-demo-\w+/g, "FOLDER")
    .replaceAll(/ +/g, " ");
}
