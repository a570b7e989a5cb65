import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileAppears } from "../support/eventually.js";
import { ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { openScreen } from "../support/screen.js";
import { loopRepository, sayAsClaude } from "../support/scripted-agent.js";
import { openTerminalSession } from "../support/terminal-session.js";

const hasTerminals = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
const region = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /m;

const hostile = String.raw`wide 価格の合計は丸められていません。 \u001b[2J\u001b[5;5H\u001b]0;owned\u0007\rover and over`;
const script = `[ $n = 1 ] && echo bad > work.txt || echo good > work.txt
echo begun > seen/begun-$n; while [ ! -e seen/go-$n ]; do sleep 0.05; done
${sayAsClaude("The sum of the cart is rounded now, as its failing test asked for, and this goes on beyond the row.", { costUsd: 0.25 })}`;

function watch(repository: { cwd: string }, columns: number, env: Record<string, string> = {}) {
  const { cwd } = repository;
  const verify = "printf 'one\\ttwo\\nAssertionError: 1 is not 2\\n'; grep -q good work.txt";
  return openTerminalSession(
    `tty > seen/tty; '${process.execPath}' '${ralphProgram}' run "Make it good" --verify "${verify}"; echo "status $?"`,
    {
      cwd,
      columns,
      env: {
        ...ralphEnvironment(cwd, { RALPH_RUN_KILL_GRACE_SECONDS: "0.5", ...env }),
        TERM: "xterm-256color",
        COLUMNS: "",
      },
    },
  );
}

function allow(cwd: string, ...iterations: number[]): void {
  for (const number of iterations) spawnSync("touch", [join(cwd, `seen/go-${number}`)]);
}

describe.skipIf(!hasTerminals).concurrent("the screen during a run", () => {
  it.each([30, 80, 120])(
    "shows at %i columns what happens now, and in the end what happened",
    async (columns) => {
      const { cwd } = loopRepository(script, { output: "claude-stream-json" });
      const session = watch({ cwd }, columns);
      await fileAppears(join(cwd, "seen/begun-1"));
      await session.until((screen) => /iteration 1 of 10/.test(screen) && region.test(screen));
      expect(session.screen().at(-1)).toMatch(/^ {2}the agent starts/);
      allow(cwd, 1);
      await session.until(
        (screen) => /✗ iteration 1 failed/.test(screen) && /iteration 2 of 10/.test(screen),
      );
      if (columns > 30)
        expect(session.screen().at(-2)).toMatch(
          /attempt 1 · iteration 2 of 10 · \d+s · 120 tokens · 0\.25 USD$/,
        );
      allow(cwd, 2);
      expect(await session.ended).toBe(0);
      const shown = openScreen(columns);
      shown.write(session.output());
      expect(shown.unknownCodes()).toEqual([]);
      const text = shown.text().join("\n");
      expect(text).not.toMatch(region);
      expect(text).toMatch(/^ {4}│ one {4}two$/m);
      expect(text).toMatch(
        /✗ iteration 1[\s\S]*1 is not 2[\s\S]*✓ iteration 2[\s\S]*task-001 completed[\s\S]*status 0/,
      );
      expect(text.replace(/\s+/g, " ")).toContain(
        "as its failing test asked for, and this goes on beyond the row.",
      );
    },
  );

  it("follows the window when that is made narrower or wider", async () => {
    const { cwd } = loopRepository(script, { output: "claude-stream-json" });
    const session = watch({ cwd }, 60);
    await fileAppears(join(cwd, "seen/begun-1"));
    await session.until((screen) => region.test(screen));
    const terminal = readFileSync(join(cwd, "seen/tty"), "utf8").trim();
    const widest = () => {
      const last = session.output().split("\u001b[J").at(-1) ?? "";
      return Math.max(...last.split("\n").map((line) => line.length));
    };
    expect(widest()).toBeGreaterThan(30);
    spawnSync("stty", ["-F", terminal, "cols", "24"]);
    await session.until(() => widest() < 30);
    spawnSync("stty", ["-F", terminal, "cols", "100"]);
    await session.until(() => widest() > 30);
    allow(cwd, 1, 2);
    expect(await session.ended).toBe(0);
  });

  it("is whole after an agent printed control codes and wide characters, also without colour", async () => {
    const { cwd } = loopRepository(`printf '${hostile}\\n'; printf 'cut\\033['; echo good > work.txt`);
    const session = watch({ cwd }, 40, { NO_COLOR: "1" });
    expect(await session.ended).toBe(0);
    const shown = openScreen(40);
    shown.write(session.output());
    expect(shown.unknownCodes()).toEqual([]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    expect(session.output()).not.toMatch(/\u001b\[[\d;]*m/);
    const text = shown.text().join("\n");
    expect(text).toMatch(/^ {4}over and over$/m);
    expect(text).toMatch(/^task-001: running/);
    expect(text).not.toMatch(region);
  });

  it("is clean after Ctrl-C, with how to go on", async () => {
    const call = {
      id: "m",
      content: [{ type: "tool_use", id: "t", name: "Bash", input: { command: "make" } }],
    };
    const working = `echo '${JSON.stringify({ type: "assistant", message: call })}'; sleep 60`;
    const { cwd } = loopRepository(working, { output: "claude-stream-json" });
    const session = watch({ cwd }, 80);
    await session.until((screen) => region.test(screen) && screen.includes("\n  Bash make"));
    session.type("\u0003");
    await session.ended;
    const shown = openScreen(80);
    shown.write(session.output());
    const text = shown.text().join("\n");
    expect(text).not.toMatch(region);
    expect(text).not.toContain("^C");
    expect(text).not.toContain("Reflection");
    expect(text).toMatch(/^Stopping: waiting for the agent[\s\S]*next: ralph resume task-001$/m);
    expect(shown.cursor().column).toBe(0);
  });

  it("is plain where the terminal can do nothing", async () => {
    const { cwd } = loopRepository("echo good > work.txt");
    const session = openTerminalSession(
      `TERM=dumb '${process.execPath}' '${ralphProgram}' run "Make it good" --verify "grep -q good work.txt"`,
      { cwd, columns: 80, env: ralphEnvironment(cwd) },
    );
    expect(await session.ended).toBe(0);
    expect(session.output()).not.toContain("\u001b");
  });
});
