import { describe, expect, it } from "vitest";
// @ts-expect-error a plain script without types
import { findMissing, playSteps, readSteps, refresh } from "../../scripts/walkthrough.mjs";

const fence = "```";
const step = (commands: string, shown: string, expected: string) =>
  `${fence}sh\n${commands}\n${fence}\n\n${fence}text\n${shown}\n${fence}\n\n<!-- expect\n${expected}\n-->\n`;

describe("a document whose commands can be run", () => {
  it("has steps: commands, their output, and what matters in it", () => {
    const document = `# Title\n\n${fence}sh\ncd somewhere\n${fence}\n\nProse.\n\n${step("ls", "a\nb", "a\nb")}`;
    expect(readSteps(document)).toEqual([
      { commands: "cd somewhere\n", shown: undefined, expected: [] },
      { commands: "ls\n", shown: "a\nb\n", expected: ["a", "b"] },
    ]);
  });

  it("expects parts of lines, in order, whatever stands between them", () => {
    const text = "task-001  completed  1 attempt\n  2 iterations in 1 attempt\n";
    expect(findMissing(["task-001 completed", "2 iterations … 1 attempt"], text)).toBeUndefined();
    expect(findMissing(["task-001 … attempt"], text)).toBeUndefined();
    expect(findMissing(["2 iterations", "task-001"], text)).toBe("task-001");
    expect(findMissing(["attempt … completed"], text)).toBe("attempt … completed");
    expect(findMissing(["task-001 … iterations"], text)).toBe("task-001 … iterations");
  });

  it("is run in one shell, in a home that it finds empty", async () => {
    const steps = readSteps(
      `${step("mkdir inner && cd inner; x=1", "", "")}${step("pwd; ls; echo $x >&2", "", "")}`,
    );
    expect(await playSteps(steps)).toEqual(["\n", "/home/you/inner\n1\n"]);
  });

  it("fails with the command that failed and what it printed", async () => {
    const steps = readSteps(`${step("echo fine", "", "")}${step("echo oops; false; echo on", "", "")}`);
    await expect(playSteps(steps)).rejects.toThrow("echo oops; false; echo on\nand printed:\noops\n");
  });

  it("is refreshed where the wording has changed, and stays where only ids and times have", async () => {
    const same = step("echo mem-1-ab12 2026-01-02", "mem-2-cd34 2025-03-04", "mem-");
    expect(await refresh(same)).toBe(same);
    const reworded = step("echo stored mem-1-ab12", "kept mem-2-cd34", "mem-");
    expect(await refresh(reworded)).toBe(step("echo stored mem-1-ab12", "stored mem-1-ab12", "mem-"));
  });

  it("may show only the first paragraphs of an output", async () => {
    const old = step("printf 'One\\n\\nTwo\\n\\nThree\\n'", "one\n\ntwo\n\n…", "two");
    expect(await refresh(old)).toContain("text\nOne\n\nTwo\n\n…\n");
    expect(await refresh(old)).not.toContain("Three\n\n");
  });
});
