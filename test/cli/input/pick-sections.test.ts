import { describe, expect, it } from "vitest";
import { pickSections } from "../../../src/cli/commands/import.js";

const sections = [
  { name: "Style", file: "CLAUDE.md", isOptional: false },
  { name: "Tests", file: "CLAUDE.md", isOptional: false },
  { name: "Other\u001b[31m", file: "GEMINI.md", isOptional: true },
];

async function pick(answer: string | undefined, from = sections) {
  let talk = "";
  const terminal = {
    talk: (text: string) => {
      talk += text;
    },
  };
  return { picked: await pickSections(from, terminal, async () => answer), talk };
}

describe("picking sections", () => {
  it("takes numbers and ranges, everything, or nothing", async () => {
    expect((await pick("1, 3")).picked).toEqual(["CLAUDE.md Style", "GEMINI.md Other\u001b[31m"]);
    expect((await pick("1-2")).picked).toEqual(["CLAUDE.md Style", "CLAUDE.md Tests"]);
    expect((await pick("")).picked).toEqual([]);
    expect((await pick("n")).picked).toBeUndefined();
    expect((await pick(undefined)).picked).toBeUndefined();
  });

  it("says what there is without obeying it, and refuses what there is not", async () => {
    const { talk } = await pick("");
    expect(talk).toContain("  2  Tests  CLAUDE.md\n");
    expect(talk).toMatch(/GEMINI\.md {2}\(only if you name it\)/);
    expect(talk).not.toContain("\u001b");
    await expect(pick("4")).rejects.toThrow("There is no section 4");
    await expect(pick("2-1")).rejects.toThrow("There is no section 2-1");
  });

  it("does not ask about a single section", async () => {
    expect((await pick(undefined, sections.slice(0, 1))).picked).toEqual([]);
  });
});
