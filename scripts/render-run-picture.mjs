import { renderTerminalPicture } from "./terminal-picture.mjs";

const columns = 80;
const rows = 22;

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
      frames.push([...shown, ...below].slice(-rows));
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
    ...{ columns, rows },
    frames: framesOf(display).map((lines) => lines.map((line) => [line])),
  });
}
