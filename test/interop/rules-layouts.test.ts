import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { describeLayout, take, write } from "./layout-contract.js";

const cursorFiles = {
  ".cursor/rules/bare.mdc": "---\ndescription:\nglobs: *.ts\nalwaysApply: true\n---\n- No default exports\n",
  ".cursor/rules/api/money.mdc":
    '---\ndescription: Rules for "amounts"\nglobs: src/**/*.ts,**/*.tsx\n---\n\n- Keep integer pennies\n',
  ".cursorrules": "Prefer small functions\n",
};

describeLayout({
  layout: "cursor",
  files: cursorFiles,
  counts: { note: 3 },
  found: ["No default exports", "Keep integer pennies", "Prefer small functions"],
  saying: (text) => ({ ".cursor/rules/a.mdc": `---\nglobs: *\n---\n${text}\n` }),
});

const ruleFiles = {
  "AGENTS.md": "# Guide\n\n## Build\n\nnpm run build\n",
  ".github/copilot-instructions.md": "- Use strict types\n",
  ".github/instructions/money.instructions.md": '---\napplyTo: "**/*.ts"\n---\nPennies only.\n',
  ".github/workflows/ci.md": "unrelated\n",
  ".kiro/steering/money.md":
    "---\ninclusion: fileMatch\nfileMatchPattern: ['**/*.ts', '*.js']\n---\nInteger amounts\n",
  ".windsurf/rules/money.md": "---\ntrigger: glob\n---\n- Whole pennies\n",
  "memory-bank/activeContext.md": "# Now\n\n- Invoices are rewritten\n",
};

describeLayout({
  layout: "rules",
  files: ruleFiles,
  counts: { note: 6 },
  found: ["npm run build", "Use strict types", "Pennies only", "Integer amounts", "Invoices are rewritten"],
  saying: (text) => ({ "AGENTS.md": text }),
});

describe("rules", () => {
  it("say which files they are for, and never become tasks", async () => {
    const memory = await openScratchMemory();
    await take(memory, { layout: "cursor" }, write(cursorFiles));
    await take(memory, { layout: "rules" }, write(ruleFiles));
    expect((await memory.notes.list()).map(({ content }) => content)).toEqual(
      expect.arrayContaining([
        "bare (*.ts)\n- No default exports",
        'Rules for "amounts" (src/**/*.ts,**/*.tsx)\n- Keep integer pennies',
        "money (**/*.ts, *.js)\nInteger amounts",
        "Guide › Build\nnpm run build",
      ]),
    );
    expect(await memory.tasks.list()).toEqual([]);
  });

  it("are read through a link to another file of the project", async () => {
    const memory = await openScratchMemory();
    const folder = write({ "CLAUDE.md": "# Build\n\nnpm run build\n" });
    symlinkSync("CLAUDE.md", join(folder, "AGENTS.md"));
    expect((await take(memory, { layout: "rules" }, folder)).counts).toEqual({ note: { added: 1 } });
    expect((await take(memory, { layout: "claude" }, join(folder, "CLAUDE.md"))).counts).toEqual({
      note: { present: 1 },
    });
  });

  it("are not read through links that lead elsewhere", async () => {
    const memory = await openScratchMemory();
    const folder = write({ ".cursor/rules/a.mdc": "one\n" });
    symlinkSync("/etc/hostname", join(folder, ".cursor/rules/b.mdc"));
    await expect(take(memory, { layout: "cursor" }, folder)).rejects.toThrow(/is a link/);
    expect(await memory.notes.list()).toEqual([]);
  });
});
