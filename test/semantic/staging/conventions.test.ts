import { describe, expect, it } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import { entries, openScratchMemory } from "../../support/open-scratch-memory.js";

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();

/** A memory, and tasks in it that change files and run commands on one day after the other. */
async function project(settings?: string) {
  const now = { value: day(1) };
  const memory = await openScratchMemory({ now, ...(settings !== undefined && { settings }) });
  let tasks = 0;
  const finish = async (files: string[], commands: string[] = []) => {
    tasks += 1;
    now.value = day(tasks);
    const { id } = await memory.tasks.init({ description: `Task number ${tasks} about ${files[0] ?? "it"}` });
    await memory.tasks.start(id);
    const edits = files.map((file_path) => ({ tool: "Edit", type: "edit", params: { file_path } }));
    const runs = commands.map((command) => ({ tool: "Bash", params: { command }, success: true }));
    await memory.tasks.log(id, entries(...edits, ...runs));
    await memory.tasks.complete(id, { outcome: "success" });
    return id;
  };
  return { memory, finish, conventions: () => conventionsOf(memory) };
}

async function conventionsOf(memory: Memory): Promise<(string | undefined)[]> {
  return (await memory.learnings.list({ type: "convention" })).map(({ content }) => content.pattern);
}

describe("a convention", () => {
  it("is told when four tasks agree on it, with its count and examples", async () => {
    const { memory, finish, conventions } = await project();
    for (const name of ["cart", "mail", "user"]) await finish([`src/${name}.test.ts`]);
    expect(await conventions()).toEqual([]);
    const last = await finish(["src/page.test.ts", "e2e/login.spec.ts"]);
    expect(await conventions()).toEqual(["Tests lie beside their source as *.test.ts (4 of 5)"]);
    const [learning] = await memory.learnings.list({ type: "convention" });
    expect(learning?.content.examples?.[0]).toBe("src/page.test.ts");
    const { attempts } = await memory.learnings.why(learning?.id ?? "");
    expect(attempts.map(({ task_id }) => task_id)).toContain(last);
  });

  it("counts on in one record, however often it is looked for", async () => {
    const { memory, finish, conventions } = await project();
    for (const name of ["a", "b", "c", "d", "e"]) await finish([`src/${name}.test.ts`]);
    await memory.learnings.consolidate({ since: day(1) });
    await memory.learnings.learnFromTask("task-002");
    expect(await conventions()).toEqual(["Tests lie beside their source as *.test.ts (5 of 5)"]);
    expect(await memory.learnings.list({ includesSuperseded: true, type: "convention" })).toHaveLength(1);
  });

  it("needs most of the cases, from several tasks", async () => {
    const { finish, conventions } = await project();
    for (const name of ["a", "b", "c", "d"]) await finish([`src/${name}.test.ts`, `test/${name}.test.ts`]);
    await finish(Array.from({ length: 30 }, (_, index) => `lib/read-file-${index}.ts`));
    expect(await conventions()).toEqual([]);
  });

  it("follows the project when it changes its habit", async () => {
    const { finish, conventions } = await project();
    for (const name of ["a", "b", "c", "d", "e"]) await finish([`src/${name}.test.ts`]);
    for (const name of ["f", "g", "h", "i", "j", "k", "l", "m"]) await finish([`tests/${name}.test.ts`]);
    expect(await conventions()).toEqual(["Tests are in tests/ as *.test.ts (8 of 10)"]);
  });

  it("of one subject does not replace that of another", async () => {
    const { finish, conventions } = await project();
    for (const name of ["a", "b", "c", "d"]) await finish([`src/${name}.test.ts`, `src/${name}.test.tsx`]);
    expect((await conventions()).toSorted()).toEqual([
      "Tests lie beside their source as *.test.ts (4 of 4)",
      "Tests lie beside their source as *.test.tsx (4 of 4)",
    ]);
  });

  it("waits for a person with learnings.promotion: review, once it holds", async () => {
    const { memory, finish, conventions } = await project("learnings:\n  promotion: review\n");
    const waiting = async () =>
      (await memory.learnings.listStaged())
        .filter(({ learning, awaitsEvidence }) => learning.type === "convention" && !awaitsEvidence)
        .map(({ learning }) => learning.content.pattern);
    for (const name of ["a", "b", "c"]) await finish([`src/${name}.test.ts`]);
    expect(await waiting()).toEqual([]);
    await finish(["src/d.test.ts"]);
    expect(await waiting()).toEqual(["Tests lie beside their source as *.test.ts (4 of 4)"]);
    expect(await conventions()).toEqual([]);
    await memory.learnings.promoteStaged({ autoValidate: true });
    expect(await conventions()).toHaveLength(1);
  });

  it("is not in the brief of a task that it doesn't concern", async () => {
    const { memory, finish } = await project();
    for (const name of ["cart", "mail", "user", "page"]) await finish([`src/${name}.test.ts`]);
    const { entries: shown } = await memory.recall({ objective: "Task number 5 about src/order.ts" });
    expect(shown.filter(({ section }) => section === "conventions")).toEqual([]);
  });
});
