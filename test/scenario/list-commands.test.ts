import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

let cwd: string;
const ralph = (args: readonly string[]) => runRalph(args, { cwd });
const json = async (...args: string[]) => JSON.parse((await ralph([...args, "--json"])).stdout);

/** Three days of records: a note, a link, a ledger and a handoff on each. */
beforeEach(async () => {
  cwd = scratchRepository();
  const now = { value: "" };
  const memory = await openScratchMemory({ root: cwd, now });
  for (const day of ["01", "02", "03"]) {
    now.value = `2026-05-${day}T10:00:00Z`;
    const task = await memory.tasks.init({ description: `Task of day ${day}` });
    const { note } = await memory.notes.add({ content: `Note of day ${day}` });
    await memory.links.add({ from: task.id, relation: "related_to", to: note.id });
    await memory.working.checkpoint(`agent-${day}`);
    await memory.working.createHandoff({ from: `agent-${day}`, to: "qa", whatWasDone: `Day ${day}` });
  }
});

describe.each([
  ["link", ({ from }: Record<string, string>) => from, ["task-003", "task-002", "task-001"]],
  ["ledger", ({ agent_id: id }: Record<string, string>) => id, ["agent-03", "agent-02", "agent-01"]],
  ["handoff", ({ from_agent: from }: Record<string, string>) => from, ["agent-03", "agent-02", "agent-01"]],
] as const)("ralph %s list", (group, nameOf, newestFirst) => {
  const names = async (...args: string[]) => (await json(group, "list", ...args)).map(nameOf);

  it("is newest first; -n, --limit and --last show the newest, 0 and --all show all", async () => {
    expect(await names()).toEqual(newestFirst);
    for (const limit of ["-n", "--limit", "--last"])
      expect(await names(limit, "2")).toEqual(newestFirst.slice(0, 2));
    expect(await names("-n", "0")).toEqual(newestFirst);
    expect(await names("-n", "1", "--all")).toEqual(newestFirst);
  });

  it("--since takes a date or a duration", async () => {
    expect(await names("--since", "2026-05-02")).toEqual(newestFirst.slice(0, 2));
    expect(await names("--since", "2026-05-04")).toEqual([]);
    expect(await names("--since", "1h")).toEqual([]);
    const { status, stderr } = await ralph([group, "list", "--since", "soon"]);
    expect(status).toBe(2);
    expect(stderr).toContain("--since takes a duration or a date");
  });

  it("a table that is cut says so, with both numbers", async () => {
    expect((await ralph([group, "list", "-n", "2"])).stderr).toBe("2 of 3; all with -n 0\n");
    expect((await ralph([group, "list", "-n", "3"])).stderr).toBe("");
  });
});

it("ralph link list with an id is cut in the same way", async () => {
  expect(await json("link", "list", "task-002", "-n", "1")).toHaveLength(1);
  expect(await json("link", "list", "task-002", "--since", "2026-05-03")).toEqual([]);
});

it("ralph skill list takes -n; a skill has no date, so --since is refused", async () => {
  for (const name of ["bisect", "release", "rollback"]) {
    mkdirSync(join(cwd, ".agent/skills", name), { recursive: true });
    writeFileSync(
      join(cwd, ".agent/skills", name, "SKILL.md"),
      `---\nname: ${name}\ndescription: How to ${name}\n---\n\n1. Do it\n`,
    );
  }
  const names = async (...args: string[]) =>
    (await json("skill", "list", ...args)).map(({ name }: Record<string, string>) => name);
  expect(await names("-n", "2")).toEqual(["bisect", "release"]);
  expect(await names("-n", "2", "--all")).toHaveLength(3);
  expect((await ralph(["skill", "list", "-n", "2"])).stderr).toBe("2 of 3; all with -n 0\n");
  const { status, stderr } = await ralph(["skill", "list", "--since", "7d"]);
  expect(status).toBe(2);
  expect(stderr).toContain("Unknown option: --since");
});

it("ralph memory prime --since prints only what was noted since then", async () => {
  const primed = async (since: string) => (await ralph(["memory", "prime", "--since", since])).stdout;
  expect(await primed("2026-05-02")).toContain("Note of day 02");
  expect(await primed("2026-05-02")).toContain("Note of day 03");
  expect(await primed("2026-05-02")).not.toContain("Note of day 01");
  expect(await primed("1h")).not.toContain("Note of day");
});

it.each([["task", "list"], ["history"], ["history", "task-004"], ["search", "rewrite"], ["status"], []])(
  "ralph %s %s shows the beginning of an objective that is as long as a file",
  async (...args) => {
    const memory = await openScratchMemory({ root: cwd });
    const description = `Rewrite it ${"all of it ".repeat(20_000)}, to the end`;
    const { id } = await memory.tasks.init({ description });
    await memory.tasks.start(id);
    const { stdout } = await ralph(args);
    expect(stdout.length).toBeLessThan(5000);
    if (args[0] !== "status") expect(stdout).toContain("Rewrite it all of it");
    expect((await ralph(["task", "show", id])).stdout).toContain(description);
    expect((await json("task", "show", id)).description).toBe(description);
  },
);
