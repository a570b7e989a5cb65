import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { endStarted, findMarked, isGroupAlive, killStartedNow } from "../../src/processes/end-processes.js";
import { carriesMark, markVariable, newMark, withMarks } from "../../src/processes/marks.js";
import { findProcess, parsePsLine } from "../../src/processes/process-table.js";
import {
  callingRunner,
  isStartedByAgent,
  runnerOf,
  signalRunner,
  stateOf,
} from "../../src/processes/runner.js";
import { eventually } from "../support/eventually.js";
import { lookUpProcessesBy, processSystems } from "../support/process-systems.js";
import { scratchFolder } from "../support/scratch.js";

const environment = { PATH: process.env.PATH };

function startMarked(mark: string, script: string, folder = scratchFolder()): ChildProcess {
  const env = withMarks(environment, mark) as NodeJS.ProcessEnv;
  const child = spawn("sh", ["-c", script], { cwd: folder, env, stdio: "ignore", detached: true });
  onTestFinished(() => killStartedNow({ mark }));
  return child;
}

const hop = "trap '' TERM; echo $$ >> pids; setsid sh hop.sh >/dev/null 2>&1 & exit 0\n";

describe.each(processSystems)("what carries a mark, looked up by %s", (system) => {
  lookUpProcessesBy(system);

  it("is found whatever session, group and parent it has, and nothing else is", async () => {
    const [mark, other] = [newMark(), newMark()];
    startMarked(
      mark,
      "setsid sleep 60 & sh -c 'sleep 61 & exit' & setsid sh -c 'setsid sleep 62 & exit' & exit",
    );
    const stranger = startMarked(other, "sleep 60");
    await eventually(() => findMarked(mark).length === 3);
    expect(await endStarted({ mark }, 2000)).toEqual([]);
    expect(findMarked(mark)).toEqual([]);
    expect(isGroupAlive(stranger.pid as number)).toBe(true);
  });

  // They follow each other faster than ps lists them.
  const ends: [string, (mark: string) => Promise<unknown>][] = [
    ["asked first", (mark) => endStarted({ mark }, 100)],
    ["at once", async (mark) => killStartedNow({ mark })],
  ];
  // `ps` is too slow to catch them.
  it.each(system === "proc" ? ends : [])(
    "is ended although it goes on starting sessions and ignores SIGTERM: %s",
    async (_, end) => {
      const folder = scratchFolder();
      writeFileSync(join(folder, "hop.sh"), hop);
      const mark = newMark();
      startMarked(mark, "sh hop.sh & sh hop.sh & sh hop.sh", folder);
      const pids = () => readFileSync(join(folder, "pids"), "utf8").trim().split("\n");
      await eventually(() => existsSync(join(folder, "pids")) && pids().length > 20);
      await end(mark);
      const count = pids().length;
      await pause(100);
      expect([findMarked(mark), pids().length]).toEqual([[], count]);
    },
  );

  it("may be asked, and end by itself", async () => {
    const folder = scratchFolder();
    const mark = newMark();
    startMarked(
      mark,
      "trap 'echo asked > ended; exit' TERM; echo > ready; while :; do sleep 0.02; done",
      folder,
    );
    await eventually(() => findMarked(mark).length > 0 && execFileSync("ls", [folder]).includes("ready"));
    await endStarted({ mark }, 5000);
    expect(readFileSync(join(folder, "ended"), "utf8")).toBe("asked\n");
  });

  it("is not every process, if the record holds something else than a mark", () => {
    for (const mark of ["", ".", "a", "PATH", "0", "*", `${newMark()} `]) {
      expect(findMarked(mark)).toEqual([]);
      expect(carriesMark(`A=1\0${markVariable}=${mark}\0`, mark)).toBe(false);
    }
  });

  it("has it in the variable itself, alone or among others", () => {
    const mark = newMark();
    expect(carriesMark(`A=1\0${markVariable}=${newMark()}.${mark}\0B=2\0`, mark)).toBe(true);
    expect(carriesMark(`sh -c x ${markVariable}=${mark} B=2`, mark)).toBe(true);
    expect(carriesMark(`A=${mark}\0${markVariable}=${newMark()}\0`, mark)).toBe(false);
  });
});

describe.each(processSystems)("a recorded process, looked up by %s", (system) => {
  lookUpProcessesBy(system);

  it("is signalled only when it is provably the same", async () => {
    const child = startMarked(newMark(), "sleep 60");
    const runner = runnerOf(child.pid as number);
    expect(stateOf(runner)).toBe("running");
    const { started: _, ...unproved } = runner;
    for (const other of [
      unproved,
      { ...runner, started: "1" },
      { ...runner, boot: "another" },
      { ...runner, space: "pid:[1]" },
      ...[-1, 0, 1.5, Number.NaN, -runner.pid].map((pid) => ({ ...runner, pid })),
    ])
      expect([other, signalRunner(other, "SIGKILL")]).toEqual([other, false]);
    expect(stateOf(runner)).toBe("running");
    expect(signalRunner(runner, "SIGKILL")).toBe(true);
    await eventually(() => stateOf(runner) === "gone");
  });

  it("is the same under another host name", () => {
    const own = runnerOf(process.pid);
    expect(stateOf({ ...own, host: "another" })).toBe(own.boot === undefined ? "unknown" : "running");
  });
});

describe.each(processSystems)("a command, looked up by %s", (system) => {
  lookUpProcessesBy(system);
  const sleeping = (variables: object, ...words: [string, ...string[]]) => {
    const [program, ...args] = words;
    const env = { ...environment, ...variables } as NodeJS.ProcessEnv;
    const child = spawn(program, args, { env, stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child.pid as number;
  };

  it("that a shell or another program was started for belongs to who started that", async () => {
    const wrapped = sleeping({}, "timeout", "60", "sleep", "57");
    await eventually(() => callingRunner(wrapped, ["sleep", "57"]).pid === process.pid);
    const shell = sleeping({}, "sh", "-c", "sleep 58; true");
    await eventually(() => callingRunner(shell, ["task", "start"]).pid === process.pid);
    const script = sleeping({}, "sleep", "59");
    await eventually(() => findProcess(script)?.state.startsWith("S") === true);
    expect(callingRunner(script, ["task", "start"]).pid).toBe(script);
  });

  it("is known to be an agent's by what a process above it has in its environment", async () => {
    const agents = sleeping({ RALPH_TASK: "task-001" }, "sleep", "60");
    const other = sleeping({}, "sleep", "60");
    await eventually(() => isStartedByAgent({}, agents));
    expect(isStartedByAgent({}, other)).toBe(false);
    expect(isStartedByAgent({ RALPH_TASK: "task-001" }, other)).toBe(true);
  });
});

it("a line of ps is read, with the words behind it", () => {
  const args = ["-p", String(process.pid), "-o", "pid=,ppid=,pgid=,stat=,lstart=,command="];
  const line = execFileSync("ps", args, { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } }).trimEnd();
  expect(parsePsLine(line)).toMatchObject({
    pid: process.pid,
    parent: process.ppid,
    group: findProcess(process.pid)?.group,
    started: expect.stringMatching(/^\w{3} \w{3} \d+ \d\d:\d\d:\d\d \d{4}$/),
    words: expect.stringContaining("node"),
  });
  expect(parsePsLine("nonsense")).toBeUndefined();
});
