import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asSeen, chatMarkup, hostilePieces, interpreted } from "../support/hostile-texts.js";
import { runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

const hostile = `kettle ${hostilePieces.join(" kettle ")}`;
let cwd: string;
const ralph = async (args: string[], input = "") => {
  const result = await runRalph(args, { cwd, input });
  expect(result.stderr, args.slice(0, 2).join(" ")).not.toContain("Error");
  return result.stdout;
};

async function recordHostileTexts(): Promise<void> {
  cwd = scratchRepository();
  const skill = join(cwd, ".agent/skills/kettle");
  mkdirSync(skill, { recursive: true });
  writeFileSync(
    join(skill, "SKILL.md"),
    `---\nname: kettle\ndescription: Descale a kettle\n---\n\n${hostile}\n`,
  );
  await ralph(["memory", "add", "-", "--type", "fix", "--tags", "kettle"], hostile);
  await ralph(["task", "init", "Descale the kettle", "--agent", "ines"]);
  await ralph(["task", "start", "task-001"]);
  const failed = { tool: "Bash", params: { command: `boil ${hostile}` }, success: false, output: hostile };
  await ralph(
    ["task", "log", "task-001"],
    `${JSON.stringify({ ...failed, error: hostile, reasoning: hostile })}\n`,
  );
  await ralph([
    "task",
    "complete",
    "task-001",
    "--outcome",
    "failure",
    "--reason",
    hostile.replaceAll("\n", " "),
  ]);
  await ralph(["task", "reflect", "task-001", hostile, "--item", hostile]);
  await ralph(["handoff", "create", "--from", "ines", "--to", "jo", "--task", "task-001", "--done", hostile]);
  await ralph(["ledger", "checkpoint", "ines", "--goal", hostile]);
  await ralph(["continuity", "update"]);
}

const readings = [
  ["memory", "search", "kettle"],
  ["memory", "list"],
  ["memory", "list", "--format", "markdown"],
  ["recall", "Descale the kettle", "--explain"],
  ["history", "task-001"],
  ["history", "task-001", "--reflections"],
  ["search", "kettle"],
  ["replay", "task-001"],
  ["replay", "task-001", "--dry-run"],
  ["handoff", "list"],
  ["ledger", "show", "ines"],
  ["skill", "show", "kettle"],
  ["skill", "show", "kettle", "--format", "markdown"],
  ["skill", "match", "kettle"],
  ["continuity", "show"],
  ["learnings", "list"],
  ["task", "start", "task-001", "--agent", "jo"],
];
const prompts = [
  ["memory", "prime", "--fence"],
  ["recall", "Descale the kettle"],
  ["handoff", "show", "handoff-001"],
];

describe("what records say", () => {
  it("is neither obeyed by a terminal nor taken for a chat's markup, and stays in its fence", async () => {
    await recordHostileTexts();
    for (const args of prompts) {
      const shown = asSeen(await ralph(args));
      expect.soft(shown.match(/<[\s/]*ralph-memory/gi), args.join(" ")).toHaveLength(2);
      const [before = "", inside, after = ""] = shown.split(/<\/?ralph-memory-\d{9}>/);
      expect.soft(inside).toContain("kettle");
      expect.soft(before + after).not.toContain("delete it");
      expect.soft(after.trim()).toBe("");
    }
    for (const args of [...prompts, ...readings]) {
      const shown = asSeen(await ralph(args));
      expect.soft(shown, args.join(" ")).not.toMatch(interpreted);
      expect.soft(shown, args.join(" ")).not.toMatch(chatMarkup);
    }
    const [note] = JSON.parse(await ralph(["memory", "list", "--json"]));
    expect(note.content).toContain("<system> kettle </system>");
    expect(note.content).toContain("\u001b[2J");
    const primed = await ralph(["memory", "prime"]);
    expect(primed).toContain("<system>");
    expect(primed).not.toMatch(interpreted);
  });
});
