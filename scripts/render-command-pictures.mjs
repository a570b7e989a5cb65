import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderTerminalPicture } from "./terminal-picture.mjs";

const main = join(import.meta.dirname, "../dist/cli/main.cjs");
const columns = 80;

const notes = [
  ["Amounts of money are kept as cents, never as fractions", "--type", "decision"],
  ["Run the tests with node --test, there is no npm script", "--type", "pattern"],
];

/** Pictures of what `ralph` and `ralph --help` print on a terminal, in the project that `ralph demo` makes. */
export function renderCommandPictures() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "ralph-picture-")));
  try {
    const [project, temporary] = [join(home, "shop"), join(home, "tmp")];
    mkdirSync(temporary);
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: temporary, RALPH_HOME: join(home, ".ralph") };
    const run = (cwd, ...words) =>
      execFileSync(process.execPath, [main, ...words], { cwd, env, stdio: "pipe" });
    run(home, "demo", "--keep");
    const [made] = readdirSync(temporary).filter((name) => name.startsWith("ralph-demo-"));
    renameSync(join(temporary, made), project);
    for (const note of notes) run(project, "memory", "add", ...note);
    // The picture says how long ago the last task was: just now, also on a slow machine.
    run(project, "task", "init", "Show the prices in euros, too");
    return {
      "docs/overview.svg": pictureOf([], "where one is, and what to try next", { project, env }),
      "docs/help.svg": pictureOf(["--help"], "all commands, with a few words about each", { project, env }),
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function pictureOf(words, summary, { project, env }) {
  const command = ["ralph", ...words].join(" ");
  const shown = onTerminal(words, { project, env }).trimEnd().split("\n");
  const lines = [[{ text: `$ ${command}`, tone: "strong" }], ...shown.map(piecesOf)];
  const title = `${command} in a terminal`;
  return renderTerminalPicture({ title, summary, columns, rows: lines.length, frames: [lines] });
}

/** `script` of util-linux makes the terminal. */
function onTerminal(words, { project, env }) {
  const command = [process.execPath, main, ...words].map((word) => `'${word}'`).join(" ");
  return execFileSync("script", ["-qefc", `stty cols ${columns} rows 100; exec ${command}`, "/dev/null"], {
    cwd: project,
    env: { ...env, TERM: "xterm", SHELL: "/bin/sh" },
    encoding: "utf8",
  }).replaceAll("\r\n", "\n");
}

const tones = { 0: "plain", 1: "strong", 2: "faint" };

/** The pieces of a line between its changes of style. */
function piecesOf(line) {
  const [first, ...others] = line.split("\u001b[");
  const pieces = others.map((part) => {
    const [, code, text] = /^(\d+)m(.*)$/.exec(part) ?? [];
    if (!Object.hasOwn(tones, code)) throw new Error(`no tone for ${JSON.stringify(part)}`);
    return { text, tone: tones[code] };
  });
  return [{ text: first, tone: "plain" }, ...pieces];
}
