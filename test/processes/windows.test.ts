import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning, psTable } from "../../src/processes/process-table.js";
import { runProcess } from "../../src/processes/run-process.js";
import { findWindowsProgram } from "../../src/processes/windows.js";
import { eventually } from "../support/eventually.js";
import { lookUpProcessesBy } from "../support/process-systems.js";
import { scratchFolder } from "../support/scratch.js";

describe("a program on Windows", () => {
  const environment = { Path: "C:\\npm;bin;C:\\git", PATHEXT: ".EXE;.CMD" };
  const there =
    (...paths: string[]) =>
    (path: string) =>
      paths.includes(path);

  it("is found on the path with one of the endings of programs, never in the current folder", () => {
    const find = (...paths: string[]) => findWindowsProgram("git", ["log"], environment, there(...paths));
    expect(find("C:\\git\\git.EXE")).toEqual({
      program: "C:\\git\\git.EXE",
      args: ["log"],
      isVerbatim: false,
    });
    expect(find("git.EXE", "bin\\git.EXE", "C:\\git\\git")).toMatchObject({ program: "git" });
  });

  it("that npm installed is run by cmd.exe, each word in quotes", () => {
    const isThere = there("C:\\npm\\claude.CMD");
    expect(findWindowsProgram("claude", ["-p", "two words"], environment, isThere)).toEqual({
      program: "cmd.exe",
      args: ["/d", "/s", "/c", '""C:\\npm\\claude.CMD" "-p" "two words""'],
      isVerbatim: true,
    });
  });

  it.each(["a & del x", '"', "%PATH%", "a\nb", "^", "<in", "!x!", "a|b"])(
    "that npm installed gets no argument that cmd.exe may take for a command: %j",
    (word) => {
      const isThere = there("C:\\npm\\claude.CMD");
      expect(() => findWindowsProgram("claude", [word], environment, isThere)).toThrow(
        /Cannot pass this argument to claude on Windows/,
      );
    },
  );
});

describe.skipIf(process.platform === "win32")("without groups and signals, as on Windows", () => {
  lookUpProcessesBy("windows");

  /** Ends a process and those that it started, as the program of that name does. */
  const taskkill = `#!/bin/sh
echo "$@" >> "$0.log"
end() { for child in $(pgrep -P "$1"); do end "$child"; done; kill -9 "$1"; }
end "$2"
`;

  function withTaskkill(): string {
    const folder = scratchFolder();
    writeFileSync(join(folder, "taskkill"), taskkill);
    chmodSync(join(folder, "taskkill"), 0o755);
    const path = process.env.PATH;
    process.env.PATH = `${folder}:${path}`;
    onTestFinished(() => {
      process.env.PATH = path;
    });
    return folder;
  }

  it("a program that takes too long is ended with all that it started, by taskkill", async () => {
    const tools = withTaskkill();
    const folder = scratchFolder();
    const result = await runProcess({
      program: "/bin/sh",
      args: ["-c", "sleep 300 & echo $! > child; sleep 301"],
      folder,
      environment: { PATH: process.env.PATH },
      timeoutMs: 300,
      killGraceMs: 300,
    });
    expect(result).toMatchObject({ endedBy: "timeout", isAllGone: true });
    expect(readFileSync(join(tools, "taskkill.log"), "utf8")).toMatch(/^\/pid \d+ \/t \/f$/m);
    const child = Number(readFileSync(join(folder, "child"), "utf8"));
    await eventually(() => !isRunning(psTable.find(child) ?? { state: "Z" }));
  });

  it("a program that ends by itself is not touched", async () => {
    const tools = withTaskkill();
    const { exitCode, output } = await runProcess({
      program: "/bin/sh",
      args: ["-c", "cat; exit 3"],
      folder: scratchFolder(),
      environment: { PATH: process.env.PATH },
      input: "hi",
    });
    expect([exitCode, output]).toEqual([3, "hi"]);
    expect(existsSync(join(tools, "taskkill.log"))).toBe(false);
  });
});
