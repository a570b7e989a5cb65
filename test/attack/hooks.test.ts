import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { sessionFile } from "../../src/hooks/session-files.js";
import { sqlitePath } from "../../src/store/sqlite/open-sqlite-store.js";
import { loadSqliteEngine } from "../../src/store/sqlite/sqlite-driver.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";
import { seed, seededRandom } from "../support/seeded-random.js";

const { next: random, pick } = seededRandom();
console.log(`RALPH_SEED=${seed}`);

/** RALPH_HOOK_CALLS=… makes the campaign shorter or longer. */
const campaignCalls = Number(process.env.RALPH_HOOK_CALLS) || 1000;
const atOnce = 4;
/** The second is another task: the one before is ended first. */
const furtherPrompts = ["The login test still fails", "Write a migration that adds an index to the orders"];

interface Called {
  /** The program answered and ended by itself: the agent may rely on it. */
  isAcknowledged: boolean;
  ms: number;
}

/** A hook of Claude Code; it is killed after a time, unless it has ended. */
function callHook(
  cwd: string,
  name: string,
  event: Record<string, unknown>,
  killAfterMs?: number,
): Promise<Called> {
  return new Promise((done, fail) => {
    const begin = performance.now();
    const child = spawn(process.execPath, [ralphProgram, "hook", "claude", name], {
      cwd,
      env: ralphEnvironment(cwd),
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.on("error", fail);
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify({ cwd, hook_event_name: name, ...event }));
    const killer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    child.on("close", (status) => {
      clearTimeout(killer);
      done({ isAcknowledged: status === 0, ms: performance.now() - begin });
    });
  });
}

function timeOfBareNode(): Promise<number> {
  return new Promise((done) => {
    const begin = performance.now();
    spawn(process.execPath, ["-e", "0"]).on("close", () => done(performance.now() - begin));
  });
}

const ran = (session: string, number: number) => ({
  session_id: session,
  tool_name: "Bash",
  tool_input: { command: `echo ${number}` },
  tool_response: { stdout: String(number), stderr: "" },
  tool_use_id: `toolu_${number}`,
});

/** The numbers of all actions that are recorded, of all tasks, as often as they are. */
async function recordedNumbers(cwd: string): Promise<number[]> {
  const ask = async (...args: string[]) => JSON.parse((await runRalph([...args, "--json"], { cwd })).stdout);
  const tasks: { id: string; total_attempts: number }[] = await ask("history");
  const numbers: number[] = [];
  for (const { id, total_attempts: attempts } of tasks)
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const { steps }: { steps: { params: { command?: string } }[] } = await ask(
        ...["replay", id, "--attempt", String(attempt)],
      );
      for (const { params } of steps) numbers.push(Number(params.command?.replace("echo ", "")));
    }
  return numbers.sort((a, b) => a - b);
}

/** Each line of the log is a hook that answered without having done its work; what is not about an action is done later. */
function faultsIn(cwd: string): string[] {
  const path = join(cwd, ".ralph/ralph.log");
  const lines = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  return lines.filter((line) => line.includes(" PostToolUse"));
}

/** On a machine that is too busy a hook gives up in time for its agent, and says so in the log. */
function expectAllBut(
  faults: readonly string[],
  acknowledged: readonly number[],
  recorded: readonly number[],
): void {
  if (faults.length > 0) console.log(`the log tells of ${faults.length} faults:\n${faults.join("\n")}`);
  const missing = acknowledged.filter((number) => !recorded.includes(number));
  expect(missing.slice(faults.length)).toEqual([]);
}

it("of 20 hooks at the same time none is lost", async () => {
  const cwd = scratchRepository();
  await callHook(cwd, "UserPromptSubmit", { session_id: "one", prompt: "Fix the login test of the shop" });
  const bareTimes = await Promise.all(Array.from({ length: 20 }, () => timeOfBareNode()));
  const alone = await callHook(cwd, "PostToolUse", ran("one", 0));
  const called = await Promise.all(
    Array.from({ length: 20 }, (_, index) => callHook(cwd, "PostToolUse", ran("one", index + 1))),
  );
  const longest = (times: readonly number[]) => Math.round(Math.max(...times));
  console.log(
    `20 hooks at once: the slowest ${longest(called.map(({ ms }) => ms))} ms, of 20 times "node -e 0" ${longest(bareTimes)} ms; one hook alone ${Math.round(alone.ms)} ms`,
  );
  expect(called.every(({ isAcknowledged }) => isAcknowledged)).toBe(true);
  await callHook(cwd, "Stop", { session_id: "one", last_assistant_message: "Done" });
  expect(await recordedNumbers(cwd)).toEqual(Array.from({ length: 21 }, (_, index) => index));
});

it(`of ${campaignCalls} hooks that are killed at any moment, or find the database locked, each acknowledged action is there, and none twice`, async () => {
  const cwd = scratchRepository();
  await runRalph(["memory", "add", "A note"], { cwd });
  const acknowledged: number[] = [];
  const killed: { session: string; number: number }[] = [];
  let calls = 0;
  let kills = 0;
  // What a hook takes at present, so that kills hit all of its course, however busy the machine is.
  let usualMs = (await callHook(cwd, "Notification", { session_id: "none" })).ms;

  const callOrKill = async (name: string, event: Record<string, unknown>) => {
    calls += 1;
    const killAfterMs = random() < 0.25 ? undefined : random() * usualMs * 1.3;
    const { isAcknowledged, ms } = await callHook(cwd, name, event, killAfterMs);
    if (killAfterMs === undefined) usualMs += (ms - usualMs) / 5;
    if (!isAcknowledged) kills += 1;
    return isAcknowledged;
  };

  /** A session from its first prompt, which is not killed, to its end; its task begins with its first action. */
  async function session(id: string): Promise<void> {
    const prompt = { session_id: id, prompt: `Fix the login test of shop ${id}` };
    // On a machine that is too busy it gives up, and there is no session.
    do await callHook(cwd, "UserPromptSubmit", prompt);
    while (!existsSync(sessionFile(join(cwd, ".ralph"), "claude", id)));
    calls += 1;
    for (let step = 0; step < 20 && calls < campaignCalls; step += 1) {
      const kind = random();
      if (kind < 0.8) {
        const number = calls;
        if (await callOrKill("PostToolUse", ran(id, number))) acknowledged.push(number);
        else killed.push({ session: id, number });
      } else if (kind < 0.9) await callOrKill("Stop", { session_id: id, last_assistant_message: "Done" });
      else await callOrKill("UserPromptSubmit", { ...prompt, prompt: pick(furtherPrompts) });
    }
    // As an agent that is asked to go on does: what was not acknowledged may come again.
    for (const each of killed.filter(({ session: owner }) => owner === id))
      if (random() < 0.1 && (await callOrKill("PostToolUse", ran(id, each.number))))
        acknowledged.push(each.number);
    await callOrKill("SessionEnd", { session_id: id, reason: "other" });
  }

  let sessions = 0;
  const worker = async () => {
    while (calls < campaignCalls) {
      sessions += 1;
      await session(`s${sessions}`);
      await pause(pick([0, 5, 20]));
    }
  };
  /** Somebody who keeps the database for longer than a hook waits. */
  const lock = async () => {
    while (calls < campaignCalls) {
      await pause(pick([500, 3000]));
      const database = (await loadSqliteEngine()).open(sqlitePath(join(cwd, ".ralph")));
      database.exec("PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE");
      await pause(pick([200, 2500]));
      database.exec("ROLLBACK");
      database.close();
    }
  };
  await Promise.all([...Array.from({ length: atOnce }, worker), lock()]);
  await callHook(cwd, "SessionStart", { session_id: "last", source: "startup" });
  const recorded = await recordedNumbers(cwd);
  console.log(
    `${calls} calls in ${sessions} sessions, ${kills} killed; ${acknowledged.length} actions acknowledged, ${recorded.length} recorded`,
  );
  expectAllBut(faultsIn(cwd), acknowledged, recorded);
  expect(recorded.filter((number, index) => number === recorded[index - 1])).toEqual([]);
  const { status, stdout } = await runRalph(["doctor"], { cwd });
  expect([status, stdout]).toEqual([0, expect.any(String)]);
});
