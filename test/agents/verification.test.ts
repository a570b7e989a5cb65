import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCommand } from "../../src/agents/find-program.js";
import { runVerification } from "../../src/agents/run-verification.js";
import { scratchFolder } from "../support/scratch.js";

const environment = { PATH: process.env.PATH };
const verify = (command: string, timeoutMs = 10_000) =>
  runVerification(command, { folder: scratchFolder(), environment, timeoutMs, killGraceMs: 200 });

describe("a verification", () => {
  it("passes when its command line does", async () => {
    const result = await verify("echo a; echo b >&2; echo c && test -d . | cat");
    expect(result).toMatchObject({
      passed: true,
      exitCode: 0,
      endedBy: "exit",
      output: "a\nb\nc\n",
      cannotRun: false,
    });
    expect(result).not.toHaveProperty("counts");
  });

  it("fails with its output and what it tells about tests", async () => {
    const result = await verify("echo 'Tests:       1 failed, 3 passed, 4 total'; exit 1");
    expect(result).toMatchObject({ passed: false, exitCode: 1, counts: { passed: 3, total: 4 } });
  });

  it("that takes too long, or is killed, has not passed", async () => {
    expect(await verify("echo begun; sleep 30", 200)).toMatchObject({
      passed: false,
      endedBy: "timeout",
      output: "begun\n",
    });
    expect(await verify("kill -9 $$")).toMatchObject({ passed: false, exitCode: undefined, endedBy: "exit" });
  });

  it("tells a command that cannot be run from one that fails", async () => {
    expect(await verify("no-such-program --x")).toMatchObject({ exitCode: 127, cannotRun: true });
    expect(await verify("./")).toMatchObject({ cannotRun: true });
    expect(await verify("exit 3")).toMatchObject({ cannotRun: false });
    expect(await verify("if then")).toMatchObject({ passed: false, exitCode: 2 });
  });

  it("keeps both ends of a long output, and no secrets", async () => {
    const { output } = await verify("echo begin sk-ant-abcdefghijklmnop0123; seq 1 500000; echo end");
    expect(output).toMatch(/^begin (?!sk-ant)/);
    expect(output.endsWith("end\n")).toBe(true);
    expect(output.length).toBeLessThan(70 * 1024);
  });
});

describe("a command line", () => {
  const check = (command: string, folder = scratchFolder()) => checkCommand(command, { folder, environment });

  it.each([
    "node --version",
    "cd x && npm test",
    "CI=1 A='b c' node -e 0",
    "test -f a",
    "if true; then node; fi",
    "(no-such-program)",
    "$RUNNER test",
    "! grep x y",
    "for x in a; do :; done",
    "f() { :; }; f",
    "'node' -e 0",
    "{ node; }",
    "node;true",
  ])("such as %j can be run", async (command) => {
    expect(await check(command)).toEqual({ kind: "runnable" });
  });

  it.each([
    ["no-such-program --x", /program not found: no-such-program/],
    ["CI=1 no-such-program", /program not found: no-such-program/],
    ["'no such' x", /program not found: no such/],
    ["./run.sh", /program not found: \.\/run\.sh/],
    ["", /empty/],
    ["  ", /empty/],
    ["if then", /the shell rejects it/],
    ["echo 'open", /the shell rejects it/],
  ])("such as %j cannot", async (command, reason) => {
    expect(await check(command)).toEqual({ kind: "cannot-run", reason: expect.stringMatching(reason) });
  });

  it("is not run to find out", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "run.sh"), "#!/bin/sh\ntouch was-run\n");
    expect((await check("./run.sh", folder)).kind).toBe("cannot-run");
    chmodSync(join(folder, "run.sh"), 0o755);
    expect((await check("./run.sh && touch was-run", folder)).kind).toBe("runnable");
    expect((await check("test -f was-run", folder)).kind).toBe("runnable");
    const { passed } = await runVerification("test -f was-run", { folder, environment, timeoutMs: 5000 });
    expect(passed).toBe(false);
  });
});
