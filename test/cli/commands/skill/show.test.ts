import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { showSkillCommand } from "../../../../src/cli/commands/skill/show.js";
import { openScratchMemory } from "../../../support/open-scratch-memory.js";

it.each([
  [true, "a \ufffd[31mred\ufffd"],
  [false, "a \u001b[31mred\u0007"],
])(
  "a skill's file on a screen (%s) cannot change it, and in a pipe stays as it is",
  async (isScreen, shown) => {
    const memory = await openScratchMemory();
    const folder = join(memory.project.root, ".agent/skills/odd");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), "# Odd\n\na \u001b[31mred\u0007\n");
    let printed = "";
    await showSkillCommand.run({
      arguments: ["odd"],
      options: {},
      format: "markdown",
      terminal: { out: (text: string) => (printed += text), isScreen },
      openMemory: async () => memory,
    } as unknown as Parameters<typeof showSkillCommand.run>[0]);
    expect(printed).toBe(`# Odd\n\n${shown}\n`);
  },
);
