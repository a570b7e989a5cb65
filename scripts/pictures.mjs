import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

const runRows = 22;

/** The events of a run of the demo's project, with the time of each in seconds. */
const recording = [
  [
    0,
    {
      event: "run-started",
      task_id: "task-001",
      agent: "claude",
      verify: ["npm test"],
      max_iterations: 10,
      attempts: 1,
    },
  ],
  [0, { event: "attempt-started", attempt: 1, reflections: 0 }],
  [0, { event: "iteration-started", attempt: 1, iteration: 1, brief_tokens: 0, shown: [] }],
  [3, { event: "output", from: "agent", text: "I look at the failing test and at what it tests." }],
  [4, { event: "tool-started", tool: "Read", subject: "cart.js" }],
  [4, { event: "usage", input_tokens: 9214, output_tokens: 180 }],
  [7, { event: "output", from: "agent", text: "The sum starts as an integer. This may be it." }],
  [8, { event: "tool-started", tool: "Edit", subject: "cart.js" }],
  [8, { event: "usage", input_tokens: 18_630, output_tokens: 412, cost_usd: 0.03 }],
  "frame",
  [12, { event: "verification-started", command: "npm test" }],
  [
    14,
    {
      event: "output",
      from: "check",
      text: "✖ the cart's total is exact (2.1ms)\n  0.30000000000000004 == 0.3",
    },
  ],
  "frame",
  [14, { event: "verification", command: "npm test", passed: false, elapsed_ms: 2000 }],
  [
    14,
    {
      ...{
        event: "iteration-ended",
        iteration: 1,
        verdict: "failed",
        reason: "npm test: exited with 1 (0 of 1 passed)",
      },
      cause: 'test "the cart\'s total is exact" at cart.test.js:5: 0.30000000000000004 == 0.3',
      ...{ quality: 0, changed_files: ["cart.js"], actions: 2, elapsed_ms: 14_000 },
    },
  ],
  [14, { event: "iteration-started", attempt: 1, iteration: 2, brief_tokens: 146, shown: [] }],
  [18, { event: "output", from: "agent", text: "The failure shows it: binary fractions add up." }],
  [19, { event: "tool-started", tool: "Edit", subject: "cart.js" }],
  [19, { event: "usage", input_tokens: 31_870, output_tokens: 655, cost_usd: 0.05 }],
  "frame",
  [24, { event: "verification-started", command: "npm test" }],
  [26, { event: "output", from: "check", text: "✔ the cart's total is exact (1.6ms)" }],
  [26, { event: "verification", command: "npm test", passed: true, elapsed_ms: 2000 }],
  [
    26,
    {
      ...{ event: "iteration-ended", iteration: 2, verdict: "completed", reason: "npm test: passed" },
      ...{ quality: 1, changed_files: ["cart.js"], actions: 1, elapsed_ms: 12_000 },
    },
  ],
  [26, { event: "attempt-ended", attempt: 1, end: { kind: "completed" } }],
  [
    26,
    {
      ...{
        event: "run-ended",
        task_id: "task-001",
        end: { kind: "completed", evidence: "npm test: passed" },
      },
      ...{ attempts: 1, iterations: 2, elapsed_ms: 26_000, changed_files: ["cart.js"] },
      usage: { input_tokens: 31_870, output_tokens: 655, cost_usd: 0.05 },
      learned: [
        {
          ...{ id: "learn-b838c5d55097", type: "strategy", isNew: true },
          statement: "A total of money has to be rounded to cents at the end of the sum.",
        },
      ],
      next: "ralph history task-001",
    },
  ],
  "frame",
];

/** What the screen shows at some moments of the recording, by the code that shows it in a terminal. */
function framesOf({ linesOf, rowsOf, renderEnd, openRunStatus }) {
  const shown = [
    { text: '$ ralph run "Fix the failing test of the cart total" --verify "npm test"', tone: "strong" },
  ];
  const status = openRunStatus(0);
  const frames = [];
  let nowMs = 0;
  for (const entry of recording) {
    if (entry === "frame") {
      const below = status.rows(nowMs + 2000, columns - 1).map((text) => ({ text, tone: "faint" }));
      frames.push([...shown, ...below].slice(-runRows));
      continue;
    }
    const [seconds, event] = entry;
    nowMs = seconds * 1000;
    status.note(event, nowMs);
    for (const line of linesOf(event, "normal"))
      shown.push(...rowsOf(line, columns - 1).map((text) => ({ text, tone: line.tone })));
    if (event.event === "run-ended")
      shown.push(
        ...renderEnd(event, columns)
          .trimEnd()
          .split("\n")
          .map((text) => ({ text, tone: "plain" })),
      );
  }
  return frames;
}

/** A moving picture of `ralph run`. */
export function renderRunPicture(display) {
  return renderTerminalPicture({
    title: "ralph run in a terminal",
    summary:
      "The first iteration fails, and the line that says so has the cause; the second one passes the check. At the bottom, a live region tells attempt, iteration, time, tokens, cost and what the agent does.",
    ...{ columns, rows: runRows },
    frames: framesOf(display).map((lines) => lines.map((line) => [line])),
  });
}

/** The size of a character; each piece of text is put into its columns, whatever font it is shown with. */
const step = { width: 8.43, height: 19 };
const margin = 16;
const seconds = 12;

/**
 * A picture of a terminal, in which each frame is text. A line is a list of pieces, each with its text and its tone.
 * Frames follow each other; the last one stays the longest, and is the one that is seen where nothing moves.
 */
export function renderTerminalPicture({ title, summary, columns, rows, frames }) {
  const [width, height] = [columns * step.width + 2 * margin, rows * step.height + 2 * margin];
  const groups = frames.map((lines, index) => {
    const texts = lines.flatMap((pieces, row) => renderLine(pieces, margin + (row + 0.8) * step.height));
    return `  <g id="frame-${index + 1}">\n${texts.join("\n")}\n  </g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" aria-labelledby="title summary">
  <title id="title">${escaped(title)}</title>
  <desc id="summary">${escaped(summary)}</desc>
  <style>
    rect { fill: #0d1117; }
    text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 14px; fill: #e6edf3; white-space: pre; }
    .strong { font-weight: bold; }
    .faint { fill: #8b949e; }
    .good { fill: #3fb950; }
    .bad { fill: #ff7b72; }
    .warning { fill: #d29922; }
${rulesOf(frames).join("\n")}
  </style>
  <rect width="${width.toFixed(0)}" height="${height}" rx="8" />
${groups.join("\n")}
</svg>
`.replace(/^\n/gm, "");
}

/** In steps: two frames that fade into each other cannot be read. */
function rulesOf(frames) {
  if (frames.length === 1) return [];
  const share = 100 / (frames.length + 1);
  return frames.map((_, index) => {
    const isLast = index === frames.length - 1;
    const [from, to] = [index * share, (index + 1) * share].map((percent) => `${percent.toFixed(2)}%`);
    const before = index === 0 ? "" : "0% { visibility: hidden; } ";
    const after = isLast ? "" : ` ${to} { visibility: hidden; }`;
    const frame = `#frame-${index + 1}`;
    return [
      `    @keyframes show-${index + 1} { ${before}${from} { visibility: visible; }${after} 100% { visibility: ${isLast ? "visible" : "hidden"}; } }`,
      ...(isLast ? [] : [`    ${frame} { visibility: hidden; }`]),
      `    @media (prefers-reduced-motion: no-preference) { ${frame} { animation: show-${index + 1} ${seconds}s step-end infinite; } }`,
    ].join("\n");
  });
}

/** Plain characters in runs, all others one by one: another font, with another width, may have them. */
function renderLine(pieces, y) {
  const texts = [];
  let column = 0;
  for (const { text, tone } of pieces) {
    for (const match of text.matchAll(/[!-~]+(?: [!-~]+)*|[^ -~]/gu)) {
      const [run] = match;
      const x = margin + (column + match.index) * step.width;
      const length = run.length > 1 ? ` textLength="${(run.length * step.width).toFixed(1)}"` : "";
      texts.push(
        `    <text class="${tone}" x="${x.toFixed(1)}" y="${y.toFixed(1)}"${length}>${escaped(run)}</text>`,
      );
    }
    column += text.length;
  }
  return texts;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
