import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readHookInput } from "../../../src/cli/input/read-hook-input.js";
import { scratchFolder } from "../../support/scratch.js";

/** The reading end of a pipe into which a shell writes. */
function pipeFrom(script: string): number {
  const pipe = join(scratchFolder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  const writer = spawn("sh", ["-c", `{ ${script}; } > "$1"`, "sh", pipe], { stdio: "ignore" });
  const descriptor = openSync(pipe, constants.O_RDONLY);
  onTestFinished(() => {
    writer.kill("SIGKILL");
    closeSync(descriptor);
  });
  return descriptor;
}

const platforms: NodeJS.Platform[] = process.platform === "linux" ? ["linux", "darwin"] : ["darwin"];

describe.skipIf(process.platform === "win32").each(platforms)("a hook on %s", (platform) => {
  it("reads its input to the end, and blocks nothing while there is none", async () => {
    const pipe = pipeFrom("printf half; sleep 0.5; printf ' and half'");
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    expect(await readHookInput(pipe, platform)).toBe("half and half");
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});
