import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../src/memory/open-memory.js";
import { scratchFolder } from "../support/scratch.js";

/** A project with settings of its own, and a user's home with settings. */
async function openWith(project: string, user = "") {
  const [root, home] = [scratchFolder(), scratchFolder()];
  writeFileSync(join(root, "ralph.yml"), project);
  if (user !== "") writeFileSync(join(home, "ralph.yml"), user);
  return openMemory({ root, environment: { RALPH_HOME: home, RALPH_TRUST: "1" } });
}

describe("a user's own patterns of secrets", () => {
  it("redact in the memory whose settings have them, and in no other of the same process", async () => {
    await using with_ = await openWith("secrets:\n  patterns: ['ACME-\\d{4}']\n");
    await using without = await openWith("memories:\n  budget: 100\n");
    const text = "the machine is ACME-1234 in the cellar";
    const [there, elsewhere] = await Promise.all([
      with_.notes.add({ content: text }),
      without.notes.add({ content: text }),
    ]);
    expect(there).toMatchObject({ redacted: ["own-pattern"] });
    expect(elsewhere).toMatchObject({ redacted: [] });
    expect(JSON.stringify(await with_.notes.list({}))).not.toContain("ACME-1234");
    expect(JSON.stringify(await without.notes.list({}))).toContain("ACME-1234");
    await with_.tasks.init({ description: `Move ${text}` });
    expect((await with_.tasks.history("task-001")).description).toBe(
      "Move the machine is [redacted:own-pattern] in the cellar",
    );
  });

  it("leave what stands in a secret's place alone", async () => {
    await using memory = await openWith("secrets:\n  patterns: ['[a-z]{4,}', 'redacted', '[A-Z]+']\n");
    await memory.notes.add({ content: "MOVE the 7 machines" });
    const [note] = await memory.notes.list({});
    expect(note?.content).toBe("[redacted:own-pattern] the 7 [redacted:own-pattern]");
  });

  it("take a secret out by an exception of the user's, not by one of the project", async () => {
    const text = "DB_PASSWORD=localdev9";
    await using own = await openWith("{}\n", "secrets:\n  exceptions: ['localdev\\d']\n");
    await using foreign = await openWith("secrets:\n  exceptions: ['.+']\n");
    expect(await own.notes.add({ content: text })).toMatchObject({ redacted: [] });
    expect(await foreign.notes.add({ content: text })).toMatchObject({ redacted: ["credential"] });
  });
});
