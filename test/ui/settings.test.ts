import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { startPage } from "../support/page-server.js";

describe("settings that change while the page is served", () => {
  it("name a team's server that cannot be reached, and then no longer: the records of this machine are back", async () => {
    const memory = await openScratchMemory();
    await memory.tasks.init({ description: "Fix the cart total" });
    const { ask, visit } = await startPage(memory);
    const authorization = await visit();
    const readTasks = async () => {
      const { status, text } = await ask("/api/tasks", { headers: { authorization } });
      return { status, value: JSON.parse(text) };
    };
    expect((await readTasks()).value.total).toBe(1);
    const file = join(memory.project.root, "ralph.yml");
    for (const address of ["postgres://ann:tulip@127.0.0.1:1/ralph", "nonsense://ann:tulip@nowhere"]) {
      writeFileSync(file, `store: ${address}\n`);
      const away = await readTasks();
      expect([address, away.status]).toEqual([address, address.startsWith("postgres") ? 503 : 500]);
      expect(JSON.stringify(away.value)).not.toContain("tulip");
    }
    rmSync(file);
    expect((await readTasks()).value.total).toBe(1);
    await memory.tasks.init({ description: "Fix it again" });
    expect((await readTasks()).value.total).toBe(2);
  });
});
