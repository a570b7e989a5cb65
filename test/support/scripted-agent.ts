import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type Action, isByRalph } from "../../src/domain/tasks/action.js";
import { isGroupAlive } from "../../src/processes/end-processes.js";
import { eventually } from "./eventually.js";
import { type RalphResult, ralphEnvironment, ralphProgram, runRalph } from "./run-ralph.js";
import { git } from "./scratch.js";

/** One line of `ralph run --json`. */
export interface Line {
  event: string;
  [field: string]: unknown;
}

export interface LoopRepository {
  cwd: string;
  ralph(args: string[], options?: { input?: string; env?: Record<string, string> }): Promise<RalphResult>;
  /** Runs with `--json`; every line of it is parsed. */
  run(
    args: string[],
    env?: Record<string, string>,
  ): Promise<{ status: number | null; lines: Line[]; stderr: string }>;
  json(args: string[]): Promise<ReturnType<typeof JSON.parse>>;
  /** Starts it, without waiting for its end. */
  start(args: string[], env?: Record<string, string>): RunningRalph;
  /** The prompts that the agent was given, in order. */
  prompts(): string[];
  /** How often the agent was started. */
  starts(): number;
  /** None of the groups that the agent ran in is left. */
  groupsLeft(): number[];
}

export interface RunningRalph {
  child: ChildProcess;
  lines: Line[];
  ended: Promise<RalphResult>;
  until(isThere: (line: Line) => boolean): Promise<Line>;
  /** Waits for it to say something on its standard error. */
  untilSaid(words: string): Promise<unknown>;
}

/** Quick where only waiting would make it slow. */
const quick = { RALPH_RUN_FIRST_PAUSE_SECONDS: "0.02", RALPH_RUN_KILL_GRACE_SECONDS: "0.5" };

// Tests of a loop wait more than they work, so that they run at the same time, which hooks of single tests cannot.
const cleanUps: (() => void)[] = [];
afterAll(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp();
});

/**
 * A repository with an agent that is a shell script: it keeps each prompt in `seen/`, knows as $n how often it was started, and then
 * does what the test says.
 */
export function loopRepository(script: string, { output = "text", settings = "" } = {}): LoopRepository {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "ralph-test-")));
  cleanUps.push(() => rmSync(cwd, { recursive: true, force: true }));
  git(cwd, "init", "--quiet", "--initial-branch=main");
  mkdirSync(join(cwd, "seen"));
  writeFileSync(join(cwd, ".gitignore"), ".home/\nseen/\n");
  writeFileSync(
    join(cwd, "agent.sh"),
    `#!/bin/sh
n=1; while [ -e seen/prompt-$n ]; do n=$((n + 1)); done
cat > seen/prompt-$n
echo $$ > seen/pid-$n
${script}
`,
  );
  chmodSync(join(cwd, "agent.sh"), 0o755);
  writeFileSync(
    join(cwd, "ralph.yml"),
    `agents:\n  scripted:\n    program: ./agent.sh\n    output: ${output}\n${settings}\n`,
  );
  git(cwd, "add", "-A");
  git(cwd, "commit", "--quiet", "-m", "start");

  const seen = (kind: string) =>
    readdirSync(join(cwd, "seen"))
      .filter((name) => name.startsWith(`${kind}-`))
      .sort((one, other) => Number(one.split("-")[1]) - Number(other.split("-")[1]))
      .map((name) => readFileSync(join(cwd, "seen", name), "utf8"));
  const groups = () => seen("pid").map(Number).filter(Boolean);
  cleanUps.push(() => {
    for (const group of groups().filter(isGroupAlive)) process.kill(-group, "SIGKILL");
  });

  const ralph: LoopRepository["ralph"] = (args, { input = "", env = {} } = {}) =>
    runRalph(args, { cwd, input, env: { ...quick, ...env } });
  return {
    cwd,
    ralph,
    async run(args, env = {}) {
      const { status, stdout, stderr } = await ralph(["run", ...args, "--json"], { env });
      return { status, stderr, lines: parseLines(stdout) };
    },
    json: async (args) => JSON.parse((await ralph([...args, "--json"])).stdout),
    start: (args, env = {}) => startRalph(args, cwd, { ...quick, ...env }),
    prompts: () => seen("prompt"),
    starts: () => seen("prompt").length,
    groupsLeft: () => groups().filter(isGroupAlive),
  };
}

function startRalph(args: string[], cwd: string, env: Record<string, string>): RunningRalph {
  const child = spawn(process.execPath, [ralphProgram, ...args], { cwd, env: ralphEnvironment(cwd, env) });
  const lines: Line[] = [];
  let [stdout, stderr, rest] = ["", "", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    if (args.includes("--json")) lines.push(...parts.map((line) => JSON.parse(line) as Line));
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  child.stdin.end();
  const ended = new Promise<RalphResult>((done) =>
    child.on("close", (status) => done({ status, stdout, stderr })),
  );
  cleanUps.push(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  });
  return {
    child,
    lines,
    ended,
    until: (isThere) =>
      eventually(
        () => lines.find(isThere),
        () => `no such line in ${stdout.slice(-2000)} ${stderr}`,
      ),
    untilSaid: (words) => eventually(() => stderr.includes(words)),
  };
}

export function parseLines(stdout: string): Line[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

export const linesOf = (lines: readonly Line[], event: string) =>
  lines.filter((line) => line.event === event);

/** The actions that the agent reported, without those that Ralph recorded. */
export const agentActions = ({ actions }: { actions: Action[] }) =>
  actions.filter((action) => !isByRalph(action));

/** A line of shell that prints one run of Claude Code: a tool call, what it says last, and what it cost. */
export function sayAsClaude(text: string, { costUsd = 0.01, session = "s-$n", tool = "Bash" } = {}): string {
  const message = (id: string, content: object[]) => ({
    type: "assistant",
    session_id: session,
    message: { id, role: "assistant", content, usage: { input_tokens: 10, output_tokens: 5 } },
  });
  const lines = [
    { type: "system", subtype: "init", session_id: session },
    message("m1", [{ type: "tool_use", id: "t1", name: tool, input: { command: "make" } }]),
    {
      type: "user",
      session_id: session,
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "made" }] },
    },
    message("m2", [{ type: "text", text }]),
    {
      type: "result",
      subtype: "success",
      is_error: false,
      num_turns: 2,
      result: text,
      total_cost_usd: costUsd,
      usage: { input_tokens: 100, output_tokens: 20 },
    },
  ];
  return `cat <<END\n${lines.map((line) => JSON.stringify(line).replaceAll("\\", "\\\\")).join("\n")}\nEND`;
}
