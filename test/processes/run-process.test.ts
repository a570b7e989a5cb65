import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Runner } from "../../src/domain/tasks/attempt.js";
import { endOrphanGroup, isGroupAlive } from "../../src/processes/end-processes.js";
import { isMark, markVariable, newMark, processMark, withMarks } from "../../src/processes/marks.js";
import { hasSucceeded, type ProcessOptions, runProcess } from "../../src/processes/run-process.js";
import { runnerOf } from "../../src/processes/runner.js";
import { lookUpProcessesBy, processSystems } from "../support/process-systems.js";
import { put, scratchFolder } from "../support/scratch.js";

const environment = { PATH: process.env.PATH };

/** Runs a small program and checks that it left nothing behind. */
async function run(program: string, args: string[], options: Partial<ProcessOptions> = {}) {
  let leader: Runner | undefined;
  const result = await runProcess({
    program,
    args,
    folder: scratchFolder(),
    environment,
    killGraceMs: 300,
    lingerMs: 300,
    onStart: (started) => {
      leader = started;
    },
    ...options,
  });
  expect(result.isAllGone).toBe(true);
  expect(isGroupAlive(result.leader.pid)).toBe(false);
  if (options.onStart === undefined) expect(leader).toEqual(result.leader);
  return result;
}

const node = (script: string, options?: Partial<ProcessOptions>) =>
  run(process.execPath, ["-e", script], options);
const shell = (script: string, options?: Partial<ProcessOptions>) => run("sh", ["-c", script], options);

/** Stops a program on its first output, which it prints when it is ready. */
function whenReady(): Pick<ProcessOptions, "stop" | "onOutput"> {
  const stop = new AbortController();
  return { stop: stop.signal, onOutput: () => stop.abort() };
}

const becomeDaemon = "echo $$ > new; mv new pid; exec sleep 60";
const untilDaemonRuns = "while [ ! -e pid ]; do sleep 0.01; done";

/** A double fork: the parent is gone before the session of its own begins, so that nothing leads from the program to it. */
const startDaemon = `cat > daemon.sh <<'END'
while kill -0 $1 2>/dev/null; do sleep 0.01; done
exec setsid sh -c '${becomeDaemon}'
END
sh -c 'sh daemon.sh $$ >/dev/null 2>&1 & exit'
${untilDaemonRuns}`;

describe.each(processSystems)("a program, looked up by %s", (system) => {
  lookUpProcessesBy(system);

  it("gets its input; its exit code and output are returned", async () => {
    const result = await shell("cat; echo oops >&2", { input: "héllo" });
    expect(result).toMatchObject({
      exitCode: 0,
      signal: undefined,
      endedBy: "exit",
      output: "héllo",
      outputBytes: 6,
      errorOutput: "oops\n",
    });
    expect(hasSucceeded(result)).toBe(true);
  });

  it("that fails returns its exit code", async () => {
    const result = await shell("echo no; exit 3");
    expect(result).toMatchObject({ exitCode: 3, endedBy: "exit", output: "no\n" });
    expect(hasSucceeded(result)).toBe(false);
  });

  it("that a signal killed has not exited with 0", async () => {
    const result = await shell("kill -9 $$");
    expect(result).toMatchObject({ exitCode: undefined, signal: "SIGKILL", endedBy: "exit" });
    expect(hasSucceeded(result)).toBe(false);
  });

  it("runs in its folder with the environment it is given and nothing else", async () => {
    const folder = scratchFolder();
    const result = await node("console.log(process.cwd(), process.env.WORD, process.env.HOME)", {
      folder,
      environment: { ...environment, WORD: "yes" },
    });
    expect(result.output).toBe(`${folder} yes undefined\n`);
  });

  it("that never ends is stopped by the timeout", async () => {
    const result = await shell("while true; do echo busy; sleep 0.02; done", { timeoutMs: 200 });
    expect(result).toMatchObject({ endedBy: "timeout", signal: "SIGTERM", exitCode: undefined });
  });

  it("that exits with 0 on SIGTERM has not succeeded", async () => {
    const script = "trap 'exit 0' TERM; echo ready; while true; do sleep 0.02; done";
    const result = await shell(script, whenReady());
    expect(result).toMatchObject({ endedBy: "abort", exitCode: 0 });
    expect(hasSucceeded(result)).toBe(false);
  });

  it("that ignores being asked is killed", async () => {
    const script = "trap '' TERM INT HUP; echo ready; while true; do sleep 0.05; done";
    const result = await shell(script, whenReady());
    expect(result).toMatchObject({ endedBy: "abort", signal: "SIGKILL", output: "ready\n" });
  });

  it("that ignores it together with what it put into a session of its own is waited for once, not twice", async () => {
    const killGraceMs = 4000;
    const script =
      "trap '' TERM INT HUP; (setsid sleep 300 >/dev/null 2>&1 &); echo ready; while true; do sleep 0.05; done";
    const result = await shell(script, { ...whenReady(), killGraceMs });
    expect(result).toMatchObject({ endedBy: "abort", signal: "SIGKILL", isAllGone: true });
    expect(result.elapsedMs).toBeLessThan(2 * killGraceMs);
  });

  it("that is silent for too long is ended; one that prints is not", async () => {
    expect(await shell("echo hi; sleep 300", { idleTimeoutMs: 200 })).toMatchObject({ endedBy: "idle" });
    const lively = "for i in 1 2 3 4 5 6; do echo $i; echo $i >&2; sleep 0.1; done";
    expect(await shell(lively, { idleTimeoutMs: 20_000 })).toMatchObject({ endedBy: "exit", exitCode: 0 });
  });

  it("that was stopped with a signal is ended too", async () => {
    expect(await shell("kill -STOP $$; sleep 300", { idleTimeoutMs: 200 })).toMatchObject({
      endedBy: "idle",
    });
  });

  it("leaves nothing running in its group", async () => {
    const result = await shell("sleep 300 & sleep 301 >/dev/null 2>&1 & exit 0");
    expect(result).toMatchObject({ endedBy: "exit", exitCode: 0 });
  });

  it("takes the process groups it created with it when it is stopped", async () => {
    const folder = scratchFolder();
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
      require("node:fs").writeFileSync("pid", String(child.pid));
      process.on("SIGTERM", () => {});
      setInterval(() => {}, 1000);
      console.log("ready");`;
    await node(script, { folder, ...whenReady() });
    expect(isGroupAlive(Number(readFileSync(join(folder, "pid"), "utf8")))).toBe(false);
  });

  it("takes them with it even when it is killed from outside", async () => {
    const folder = scratchFolder();
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
      console.log(child.pid);`;
    let own = 0;
    let leader: Runner | undefined;
    const result = await node(`${script} setInterval(() => {}, 1000);`, {
      folder,
      onStart: (started) => {
        leader = started;
      },
      onOutput: async (chunk) => {
        own = Number(chunk);
        process.kill((leader as Runner).pid, "SIGKILL");
      },
    });
    expect(result).toMatchObject({ endedBy: "exit", signal: "SIGKILL" });
    expect([own > 0, isGroupAlive(own)]).toEqual([true, false]);
  });

  it.each([
    ["ends by itself", "exit 0", () => ({})],
    ["is ended", "echo ready; sleep 30", whenReady],
  ])("that %s takes a daemon with it, which had left its session and its parent", async (_, then, limits) => {
    const folder = scratchFolder();
    await shell(`${startDaemon}; ${then}`, { folder, ...limits() });
    expect(isGroupAlive(Number(readFileSync(join(folder, "pid"), "utf8")))).toBe(false);
  });

  it("that ends by itself takes with it what has a session of its own", async () => {
    const folder = scratchFolder();
    await shell(`setsid sh -c '${becomeDaemon}' >/dev/null 2>&1 & ${untilDaemonRuns}`, { folder });
    expect(isGroupAlive(Number(readFileSync(join(folder, "pid"), "utf8")))).toBe(false);
  });

  // They follow each other faster than ps lists them.
  // `ps` is too slow to catch them.
  it.each(system === "proc" ? [1] : [])(
    "takes with it what goes on starting new sessions while it is being ended",
    async () => {
      const folder = scratchFolder();
      put(
        folder,
        "hop.sh",
        "trap '' TERM; echo $$ >> pids; sleep 0.01; setsid sh hop.sh >/dev/null 2>&1 & exit 0\n",
      );
      await shell("sh hop.sh & echo ready; sleep 30", { folder, ...whenReady() });
      const pids = readFileSync(join(folder, "pids"), "utf8").trim().split("\n").map(Number);
      expect(pids.filter((pid) => isGroupAlive(pid))).toEqual([]);
      await pause(100);
      expect(readFileSync(join(folder, "pids"), "utf8").trim().split("\n")).toHaveLength(pids.length);
    },
  );

  it("of a nested run belongs to the outer one too", async () => {
    const folder = scratchFolder();
    const outer = withMarks(environment, newMark());
    const mark = outer[markVariable] ?? "";
    const result = await shell(`echo $${markVariable}`, { folder, environment: outer });
    const marks = result.output.trim().split(".");
    expect(marks).toEqual([mark, processMark(), result.leader.mark]);
    expect(marks.every(isMark)).toBe(true);
  });

  it("may end by itself what it started, when it is asked to end", async () => {
    const folder = scratchFolder();
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
      child.on("exit", (status, signal) => require("node:fs").writeFileSync("signal", signal));
      process.on("SIGTERM", () => { child.kill("SIGINT"); setTimeout(() => process.exit(0), 100); });
      console.log("ready");`;
    await node(script, { folder, killGraceMs: 5000, ...whenReady() });
    expect(readFileSync(join(folder, "signal"), "utf8")).toBe("SIGINT");
  });

  it("is not waited for if another process keeps its output open", async () => {
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn("sleep", ["300"], { detached: true, stdio: "inherit", env: {} });
      child.unref();
      console.log(child.pid);`;
    const result = await node(script);
    expect(result).toMatchObject({ endedBy: "exit", exitCode: 0 });
    const holder = Number(result.output);
    // Nothing leads to a process that has neither the mark nor the parent nor the group.
    expect(isGroupAlive(holder)).toBe(true);
    process.kill(holder, "SIGKILL");
  });

  it("that prints much is read to its end, and only both ends of it are kept", async () => {
    let seen = 0;
    const printed = 4 * 1024 * 1024;
    const result = await run("head", ["-c", String(printed), "/dev/zero"], {
      onOutput: (chunk) => {
        seen += chunk.byteLength;
      },
    });
    expect([seen, result.outputBytes]).toEqual([printed, printed]);
    expect(result.output.length).toBeLessThan(200 * 1024);
    expect(result.output).toContain("bytes left out");
  });

  it("waits for a slower reader", async () => {
    let chunks = 0;
    let isBusy = false;
    const result = await run("head", ["-c", "2000000", "/dev/zero"], {
      onOutput: async () => {
        expect(isBusy).toBe(false);
        isBusy = true;
        await pause(5);
        isBusy = false;
        chunks += 1;
      },
    });
    expect(result.outputBytes).toBe(2_000_000);
    expect(chunks).toBeGreaterThan(10);
  });

  it("keeps both ends of a long output in their order", async () => {
    const result = await shell("seq 1 20000", { keptBytes: 100 });
    expect(result.output).toMatch(/^1\n2\n3\n/);
    expect(result.output).toMatch(/\n20000\n$/);
    expect(result.output.length).toBeLessThan(300);
    expect((await shell("seq 1 50", { keptBytes: 100 })).output.trim().split("\n").length).toBe(50);
  });

  it("may exit without reading a long input", async () => {
    const result = await shell("exit 0", { input: "x".repeat(5_000_000) });
    expect(result).toMatchObject({ exitCode: 0, endedBy: "exit" });
    expect(await shell("exec <&-; sleep 0.1", { input: "x".repeat(5_000_000) })).toMatchObject({
      exitCode: 0,
    });
  });

  it("is stopped by a signal, and killed by a second one", async () => {
    const stopped = await shell("echo ready; sleep 300", whenReady());
    expect(stopped).toMatchObject({ endedBy: "abort", signal: "SIGTERM" });
    const [stop, kill] = [new AbortController(), new AbortController()];
    const killed = await shell("trap 'echo asked' TERM; echo ready; while true; do sleep 0.05; done", {
      onOutput: (chunk) => (chunk.includes("asked") ? kill : stop).abort(),
      stop: stop.signal,
      kill: kill.signal,
      killGraceMs: 300_000,
    });
    expect(killed).toMatchObject({ endedBy: "abort", signal: "SIGKILL" });
  });

  it("does not run on when it was stopped before it began", async () => {
    expect(await shell("sleep 300", { stop: AbortSignal.abort() })).toMatchObject({ endedBy: "abort" });
  });

  it("is stopped if its output cannot be recorded", async () => {
    const broken = runProcess({
      program: "sh",
      args: ["-c", "echo $$; sleep 300"],
      folder: scratchFolder(),
      environment,
      onOutput: () => Promise.reject(new Error("the disk is full")),
    });
    await expect(broken).rejects.toThrow("the disk is full");
  });

  it("is recorded before its input is sent", async () => {
    const folder = scratchFolder();
    const result = await shell("cat >/dev/null; cat record", {
      folder,
      input: "go",
      onStart: async () => {
        await pause(100);
        writeFileSync(join(folder, "record"), "recorded");
      },
    });
    expect(result.output).toBe("recorded");
  });

  it.each([
    ["is not there", "/nowhere/agent", /Program not found: \/nowhere\/agent/, /install it/],
    ["is not on the path", "no-such-agent", /Program not found: no-such-agent/, /ralph\.yml/],
  ])("that %s is refused with a hint", async (_, program, message, hint) => {
    await expect(run(program, [])).rejects.toMatchObject({
      code: "program-unusable",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  it("that is not executable, has no folder, or gets too long an argument is refused with a hint", async () => {
    const folder = scratchFolder();
    const program = join(folder, "agent.sh");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o644);
    await expect(run(program, [])).rejects.toMatchObject({ hint: expect.stringContaining("chmod +x") });
    writeFileSync(program, "#!/nowhere/sh\n");
    chmodSync(program, 0o755);
    await expect(run(program, [])).rejects.toThrow(/The interpreter of .*agent\.sh was not found/);
    await expect(run("true", [], { folder: join(folder, "gone") })).rejects.toThrow(/No such folder/);
    await expect(run("true", ["x".repeat(3_000_000)])).rejects.toMatchObject({
      hint: expect.stringContaining("prompt: stdin"),
    });
  });
});

describe.each(processSystems)("an orphaned group, looked up by %s", (system) => {
  lookUpProcessesBy(system);

  async function orphan(): Promise<{ leader: Runner; marker: string }> {
    const folder = scratchFolder();
    const marker = join(folder, "ended");
    const script = `trap 'touch ${marker}; exit' TERM; echo ready; while true; do sleep 0.02; done`;
    const child = spawn("sh", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    child.stdout.destroy();
    child.unref();
    return { leader: runnerOf(child.pid as number), marker };
  }

  it("is ended when its leader is the process that was recorded; there is nothing to end a second time", async () => {
    const { leader, marker } = await orphan();
    expect(await endOrphanGroup(leader, 2000)).toBeUndefined();
    expect([existsSync(marker), isGroupAlive(leader.pid)]).toEqual([true, false]);
    expect(await endOrphanGroup(leader)).toBeUndefined();
  });

  it("is left alone when the number belongs to another process by now, or to another machine", async () => {
    const { leader } = await orphan();
    expect(await endOrphanGroup({ ...leader, started: "1" })).toBeUndefined();
    const { boot: _boot, space: _space, ...old } = leader;
    expect(await endOrphanGroup({ ...old, host: "elsewhere" })).toBe("it ran on elsewhere");
    expect(await endOrphanGroup({ ...leader, boot: "another" })).toBe(`it ran on ${leader.host}`);
    expect(await endOrphanGroup({ ...leader, space: "pid:[1]" })).toBe(`it ran on ${leader.host}`);
    expect(await endOrphanGroup({ pid: leader.pid, host: leader.host })).toMatch(
      /may belong to another program/,
    );
    expect(isGroupAlive(leader.pid)).toBe(true);
    await endOrphanGroup(leader, 2000);
  });
});
