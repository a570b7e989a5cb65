import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { endStarted, findMarked, killStartedNow } from "../../src/processes/end-processes.js";
import { markVariable, newMark } from "../../src/processes/marks.js";
import { findProcess, isRunning } from "../../src/processes/process-table.js";
import { fileAppears } from "../support/eventually.js";
import { ralphProgram } from "../support/run-ralph.js";
import { loopRepository } from "../support/scripted-agent.js";
import { seed, seededRandom } from "../support/seeded-random.js";

const { next: random } = seededRandom();
console.log(`RALPH_SEED=${seed}`);

/** All processes that wrote their number into the file. */
function pidsIn(path: string): number[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8").trim().split("\n").map(Number).filter(Boolean);
}

function stillRunning(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    const entry = findProcess(pid);
    return entry !== undefined && isRunning(entry);
  });
}

/** Starts children in sessions of their own at any time, by one fork or two, and ignores SIGTERM now and then. */
const breeder = `
spawn() { echo "echo \\$\\$ >> seen/pids; exec sleep 300"; }
while :; do
  setsid sh -c "$(spawn)" >/dev/null 2>&1 &
  sh -c 'setsid sh -c "echo \\$\\$ >> seen/pids; trap \\"\\" TERM; sleep 300; sleep 300" >/dev/null 2>&1 & exit'
  sh -c "$(spawn)" >/dev/null 2>&1 &
  sleep 0.0$((RANDOM_PART % 10))
done`;

describe("no orphan is left", () => {
  it("by 25 stops while an agent starts sessions at any time", async () => {
    for (let round = 0; round < 25; round += 1) {
      const part = Math.floor(random() * 10);
      const { start, cwd } = loopRepository(`RANDOM_PART=${part}\n${breeder}`);
      const { child, ended } = start(["run", "Try"]);
      const pids = join(cwd, "seen/pids");
      await fileAppears(pids);
      await pause(random() * 300);
      child.kill("SIGTERM");
      if (random() < 0.3) {
        await pause(random() * 200);
        child.kill("SIGTERM");
      }
      const { status } = await ended;
      const started = pidsIn(pids);
      expect([round, status, started.length > 0, stillRunning(started)]).toEqual([round, 130, true, []]);
      await pause(50);
      expect(pidsIn(pids)).toHaveLength(started.length);
    }
  });

  it("after a normal end: a session of its own, a double fork, a daemon, of the agent and of the check", async () => {
    const stay = (name: string) => `echo $$ >> seen/pids; echo > seen/${name}; exec sleep 300`;
    const all = `
setsid sh -c '${stay("session")}' >/dev/null 2>&1 &
sh -c 'sh -c "echo \\$\\$ >> seen/pids; echo > seen/double; exec sleep 300" & exit' >/dev/null 2>&1
node -e '
  const { spawn } = require("node:child_process");
  const child = spawn("sh", ["-c", "echo $$ >> seen/pids; echo > seen/daemon; exec sleep 300"], { detached: true, stdio: "ignore" });
  child.unref();'
nohup setsid sh -c 'cd "$PWD"; ${stay("nohup")}' </dev/null >/dev/null 2>&1 &
while [ ! -e seen/session ] || [ ! -e seen/double ] || [ ! -e seen/daemon ] || [ ! -e seen/nohup ]; do sleep 0.01; done`;
    const { run, cwd, ralph } = loopRepository(
      `${all}\nrm -f seen/session seen/double seen/daemon seen/nohup`,
    );
    writeFileSync(join(cwd, "check.sh"), all);
    const { status } = await run(["Try", "--verify", "sh check.sh"]);
    const pids = pidsIn(join(cwd, "seen/pids"));
    expect([status, pids.length, stillRunning(pids)]).toEqual([0, 8, []]);
    expect((await ralph(["doctor"])).status).toBe(0);
  });

  it("by a reflecting agent, either", async () => {
    const reflector =
      "setsid sh -c 'echo $$ > seen/reflector; exec sleep 300' >/dev/null 2>&1 & while [ ! -s seen/reflector ]; do sleep 0.01; done; echo '{}'";
    const { run, cwd } = loopRepository("date +%N > work.txt", {
      settings: `reflector: { use: agent, command: [sh, -c, ${JSON.stringify(reflector)}] }`,
    });
    await run(["Try", "--verify", "echo 'FAIL a.test.js'; false", "--max-iterations", "1"]);
    const pids = pidsIn(join(cwd, "seen/reflector"));
    expect([pids.length, stillRunning(pids)]).toEqual([1, []]);
  });

  it("of a nested run: the outer one ends the inner one's children, and the inner one its own alone", async () => {
    const { start, cwd } = loopRepository(`
if [ "$n" = 1 ]; then
  setsid sh -c 'echo $$ > seen/outer; exec sleep 300' >/dev/null 2>&1 &
  exec node ${ralphProgram} run Inner --force --json > seen/inner-log 2>&1
fi
setsid sh -c 'echo $$ > seen/inner; exec sleep 300' >/dev/null 2>&1 &
[ "$n" = 2 ] && { while [ ! -s seen/inner ]; do sleep 0.01; done; exit 0; }
echo > seen/third; sleep 300`);
    const { child, ended } = start(["run", "Outer"]);
    await fileAppears(join(cwd, "seen/third"));
    const [outer, inner] = [pidsIn(join(cwd, "seen/outer")), pidsIn(join(cwd, "seen/inner"))];
    // The inner run's first iteration is over, and the outer run's is not.
    expect([stillRunning(outer).length]).toEqual([1]);
    child.kill("SIGTERM");
    expect((await ended).status).toBe(130);
    expect(stillRunning([...outer, ...inner, ...pidsIn(join(cwd, "seen/inner"))])).toEqual([]);
  });
});

describe("a program that hands on to another one all the time", () => {
  it("is caught by its mark alone, twenty times", async () => {
    const { cwd } = loopRepository("exit 0");
    writeFileSync(join(cwd, "hop.sh"), "echo $$ >> $1; setsid sh hop.sh $1 >/dev/null 2>&1 & exit 0\n");
    for (let round = 0; round < 20; round += 1) {
      const mark = newMark();
      const file = `seen/hops-${round}`;
      hop(cwd, mark, file);
      await fileAppears(join(cwd, file));
      await pause(random() * 100);
      if (random() < 0.5) killStartedNow({ mark });
      else expect(await endStarted({ mark }, 50)).toEqual([]);
      const hops = pidsIn(join(cwd, file)).length;
      await pause(100);
      expect([round, findMarked(mark), pidsIn(join(cwd, file)).length]).toEqual([round, [], hops]);
    }
  });

  function hop(cwd: string, mark: string, file: string): ChildProcess {
    const env = { PATH: process.env.PATH, [markVariable]: mark };
    onTestFinished(() => killStartedNow({ mark }));
    return spawn("sh", ["hop.sh", file], { cwd, env, stdio: "ignore", detached: true });
  }
});
