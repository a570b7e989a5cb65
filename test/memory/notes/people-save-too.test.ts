import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import { atCall } from "../../support/at-call.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { git, scratchRepository } from "../../support/scratch.js";

const note = (id: string, text: string) =>
  `### mem-1700000000-${id}\n> ${text}\n<!-- tags: mine | created: 2023-11-14 -->\n`;
const start = `# Memories\n\n## Patterns\n\n${note("0001", "the first note")}\n${note("0002", "the second note")}`;
const saved = `\n${note("0003", "saved by a person")}`;

let root: string;
let memory: Memory;
beforeEach(async () => {
  root = scratchRepository();
  mkdirSync(join(root, ".agent"));
  memory = await openScratchMemory({ root });
});

const pathOf = (name: string) => join(root, ".agent", name);
const read = (name: string) => readFileSync(pathOf(name), "utf8");
const write = (name: string, text: string) => writeFileSync(pathOf(name), text);

/** A person's save, right before Ralph checks the file for the last time, or right before it replaces it. */
function saveAt(call: "linkSync" | "renameSync", name: string, save: () => void): void {
  const path = pathOf(name);
  atCall("before", call, (from, to) => (call === "linkSync" ? from : to) === path, save);
}

function saveBy(kind: string, name: string, added: string): void {
  const path = pathOf(name);
  const content = `${readFileSync(path, "utf8")}${added}`;
  if (kind === "append") appendFileSync(path, added);
  else if (kind === "in place") writeFileSync(path, content);
  else {
    writeFileSync(join(root, "swp"), content);
    renameSync(join(root, "swp"), path);
  }
}

describe.each([
  ["rename", "linkSync"],
  ["append", "linkSync"],
  ["in place", "linkSync"],
  ["append", "renameSync"],
  ["in place", "renameSync"],
] as const)("a save by %s right before %s", (kind, call) => {
  it("is in the notes file, with our note, and in the index", async () => {
    write("memories.md", start);
    await memory.notes.list();
    saveAt(call, "memories.md", () => saveBy(kind, "memories.md", saved));
    await memory.notes.add({ content: "added by Ralph" });
    expect(read("memories.md")).toContain(saved);
    const listed = (await memory.notes.list()).map(({ content }) => content).sort();
    expect(listed).toEqual(["added by Ralph", "saved by a person", "the first note", "the second note"]);
    const status = git(root, "status", "--porcelain", "-uall", "--", ".agent", ".ralph");
    expect(status).toBe("?? .agent/memories.md\n");
  });

  it("is in the continuity file, with our section", async () => {
    write("CONTINUITY.md", "# Mine\n\nfirst words\n");
    saveAt(call, "CONTINUITY.md", () => saveBy(kind, "CONTINUITY.md", "a line of mine\n"));
    await memory.working.updateContinuity({ note: "working" });
    const text = read("CONTINUITY.md");
    expect(text.match(/a line of mine\n|first words\n|# Mine\n|- Now: working\n/g)).toHaveLength(4);
    expect(readdirSync(join(root, ".agent"))).toEqual(["CONTINUITY.md"]);
  });
});

it("the same note edited by a person and by Ralph keeps both texts", async () => {
  write("memories.md", start);
  await memory.notes.list();
  const edited = start.replace("the first note", "the first note, by a person");
  saveAt("linkSync", "memories.md", () => write("memories.md", edited));
  await memory.notes.edit("mem-1700000000-0001", { content: "the first note, by Ralph" });
  expect((await memory.notes.get("mem-1700000000-0001")).content).toBe("the first note, by a person");
  const others = (await memory.notes.list()).filter(({ id }) => !id.startsWith("mem-17000"));
  expect(others.map(({ content, tags }) => [content, tags])).toEqual([
    ["the first note, by Ralph", ["mine"]],
  ]);
});

it("a notes file in UTF-16 is refused with one line, and keeps its bytes", async () => {
  const bytes = Buffer.from(`\ufeff${start}`, "utf16le");
  writeFileSync(pathOf("memories.md"), bytes);
  await expect(memory.notes.add({ content: "x" })).rejects.toMatchObject({
    code: "file-unusable",
    message: expect.stringContaining("is UTF-16 text"),
  });
  expect(readFileSync(pathOf("memories.md")).equals(bytes)).toBe(true);
});

it("a command that fails leaves the file as a person saved it", async () => {
  write("memories.md", start);
  await memory.notes.add({ content: "one" });
  const before = read("memories.md");
  appendFileSync(pathOf("memories.md"), "prose\n");
  await expect(memory.notes.delete("mem-none")).rejects.toMatchObject({ code: "not-found" });
  expect(read("memories.md")).toBe(`${before}prose\n`);
});
