import { describe, expect, it } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import { entries, openScratchMemory } from "../../support/open-scratch-memory.js";

const edit = { tool: "Edit", params: { file_path: "src/routes/cart.ts" }, success: true };

/** A task with these attempts, each with its actions. */
async function work(memory: Memory, description: string, attempts: object[][], tags: string[] = []) {
  const { id } = await memory.tasks.init({ description, tags });
  for (const [index, actions] of attempts.entries()) {
    await memory.tasks.start(id);
    await memory.tasks.log(id, entries(...actions));
    await memory.tasks.complete(id, { outcome: index === attempts.length - 1 ? "success" : "failure" });
  }
  return id;
}

async function estimateFor(memory: Memory, objective: string) {
  const { entries: shown, records } = await memory.recall({ objective });
  expect(records.filter(({ kind }) => kind === "estimate")).toEqual([]);
  return shown.filter(({ section }) => section === "estimates").map(({ text }) => text);
}

const objective = "Implement GET /api/refunds endpoint";
const member = (name: string) => `Implement GET /api/${name} endpoint`;

describe("the estimate in a brief", () => {
  it("is what tasks of the family took on average, from three on", async () => {
    const memory = await openScratchMemory();
    await work(memory, member("carts"), [[edit]]);
    await work(memory, member("orders"), [[edit], [edit]]);
    expect(await estimateFor(memory, objective)).toEqual([]);
    await work(memory, member("users"), [[edit], [edit], [edit]]);
    expect(await estimateFor(memory, objective)).toEqual([
      "- Tasks like this took 2 iterations on average (1 to 3; 3 tasks)",
    ]);
    expect(await estimateFor(memory, "Translate the terms of service")).toEqual([]);
  });

  it("counts judged iterations, and an attempt without any as one", async () => {
    const memory = await openScratchMemory();
    const judged = (iteration: number, outcome: string) => ({ iteration, outcome });
    for (const name of ["carts", "orders", "users"])
      await work(memory, member(name), [
        [edit, judged(1, "failure"), judged(2, "failure"), { ...edit, iteration: 3 }, judged(3, "success")],
      ]);
    expect((await estimateFor(memory, objective))[0]).toContain("3 iterations in 1 attempt on");
  });

  it("ignores sessions, in which a person's prompts are no iterations", async () => {
    const memory = await openScratchMemory();
    for (const name of ["carts", "orders", "users"]) await work(memory, member(name), [[edit]], ["session"]);
    expect(await estimateFor(memory, objective)).toEqual([]);
  });

  it("ignores tasks on which nobody worked", async () => {
    const memory = await openScratchMemory();
    for (const name of ["carts", "orders"]) await work(memory, member(name), [[edit]]);
    for (const name of ["users", "notes"]) {
      const { id } = await memory.tasks.init({ description: member(name) });
      await memory.tasks.start(id);
      await memory.tasks.endIteration(id, { iteration: 1, success: false });
      await memory.tasks.complete(id, { outcome: "failure", reason: "failed: the agent exited with 1" });
    }
    expect(await estimateFor(memory, objective)).toEqual([]);
  });
});
