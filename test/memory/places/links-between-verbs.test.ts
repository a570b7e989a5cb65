import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openMemory } from "../../../src/memory/open-memory.js";
import { scratchFolder, scratchRepository } from "../../support/scratch.js";

it("refuses a link out of the project that was planted since the last verb, however shortly before", async () => {
  const [root, outside] = [scratchRepository(), scratchFolder()];
  const environment = { RALPH_HOME: join(root, ".home") };
  // As the MCP server and a run open it.
  const memory = await openMemory({ root, environment, isShortLived: true });
  onTestFinished(() => memory.close());
  await memory.notes.add({ content: "Retries wait for the lock" });
  const [notes, target] = [join(root, ".agent/memories.md"), join(outside, "memories.md")];
  writeFileSync(target, readFileSync(notes));
  await memory.notes.list();
  rmSync(notes);
  symlinkSync(target, notes);
  await expect(memory.notes.add({ content: "Into somebody else's file" })).rejects.toThrow(
    "is a link that leads out of the project",
  );
  expect(readFileSync(target, "utf8")).not.toContain("somebody else");
});
