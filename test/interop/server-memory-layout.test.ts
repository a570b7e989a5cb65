import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadLayout } from "../../src/interop/layout.js";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { describeLayout, search, take, write } from "./layout-contract.js";

const billing = {
  type: "entity",
  name: "billing",
  entityType: "component",
  observations: ["Keeps amounts as integer pennies", "Two\nlines – ünïcode", ""],
  extra: { kept: true },
};
const graph = [
  billing,
  { type: "entity", name: "Kim", entityType: "person", observations: ["Wants short functions"] },
  { type: "entity", name: "Empty", entityType: "idea", observations: [] },
  { type: "relation", from: "Kim", to: "billing", relationType: "owns" },
  { type: "relation", from: "Kim", to: "nobody", relationType: "part_of" },
];

describeLayout({
  layout: "server-memory",
  files: { "memory.jsonl": graph },
  counts: { kept: 3, note: 6, link: 2 },
  found: ["billing: Keeps amounts as integer pennies", "Kim owns billing", "Empty (idea)"],
  saying: (text) => ({ "memory.jsonl": [{ ...billing, observations: [text] }] }),
  json: "memory.jsonl",
});

describe("a knowledge graph", () => {
  const layout = "server-memory" as const;

  it("joins entities that relate to each other", async () => {
    const memory = await openScratchMemory();
    const report = await take(memory, { layout }, write({ "memory.jsonl": graph }));
    expect(report.dangling).toEqual([{ from: "Kim", to: "nobody", relation: "elaborates" }]);
    expect(await memory.links.list()).toMatchObject([{ relation: "related_to" }]);
  });

  it("is found through the settings of a client, and refused if it is something else", async () => {
    const file = write({ "memory.jsonl": graph });
    const path = join(file, "memory.jsonl");
    const root = write({
      ".mcp.json": {
        mcpServers: {
          memory: {
            command: "npx",
            args: ["-y", "@modelcontextprotocol/server-memory"],
            env: { MEMORY_FILE_PATH: path },
          },
        },
      },
      "memory.json": { unrelated: true },
    });
    const { find } = await loadLayout(layout);
    expect(find({ root, home: root, environment: {} })).toEqual([path]);
    const memory = await openScratchMemory();
    await expect(take(memory, { layout }, root)).rejects.toThrow(/memory\.json, line 1 /);
    await expect(take(memory, { layout }, "/dev/zero")).rejects.toThrow(
      /^\/dev\/zero is not a regular file$/,
    );
  });

  it("keeps entities that have the same name apart", async () => {
    const memory = await openScratchMemory();
    const twins = [billing, { ...billing, observations: ["Rounds half to even", "Is tested at night"] }];
    const folder = write({ "memory.jsonl": twins });
    await take(memory, { layout }, folder);
    expect(await search(memory, "Rounds half to even")).toContain("Rounds half to even");
    expect((await take(memory, { layout }, folder)).counts.note).toEqual({ present: 4 });
  });

  it("splits an observation that is too long for a note", async () => {
    const memory = await openScratchMemory();
    const long = `${"alpha beta gamma ".repeat(2000)}needle`;
    await take(memory, { layout }, write({ "memory.jsonl": [{ ...billing, observations: [long] }] }));
    expect((await memory.notes.list()).length).toBeGreaterThan(2);
    expect(await search(memory, "needle")).toContain("needle");
  });
});
