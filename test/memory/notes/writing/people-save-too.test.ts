import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Memory } from "../../../../src/memory/memory.js";
import { atCall } from "../../../support/at-call.js";
import { openScratchMemory } from "../../../support/open-scratch-memory.js";
import { git, scratchRepository } from "../../../support/scratch.js";

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

/** Long ago, so that nobody waits for it to come to rest. */
function write(name: string, text: string): void {
  writeFileSync(pathOf(name), text);
  utimesSync(pathOf(name), 1_700_000_000, 1_700_000_000);
}

/** A person's save, prepared now and made later. */
function prepareSave(kind: string, path: string, added: string): () => void {
  const content = `${readFileSync(path, "utf8")}${added}`;
  const file = openSync(path, kind === "append" ? "a" : "r+");
  return () => {
    if (kind === "rename") {
      writeFileSync(join(root, "swp"), content);
      renameSync(join(root, "swp"), path);
    } else if (kind === "append") writeSync(file, added);
    else {
      ftruncateSync(file, 0);
      writeSync(file, content, 0);
    }
    closeSync(file);
  };
}

const moments = {
  "before the old file moves": ["before", "renameSync"],
  "while the name is free": ["behind", "renameSync"],
  "behind the last call": ["behind", "linkSync"],
} as const;
const kinds = ["rename", "append", "in-place"];
const table = kinds.flatMap((kind) => Object.keys(moments).map((moment) => [kind, moment]));

describe.each(table)("a save by %s %s", (kind, momentName) => {
  const [moment, call] = moments[momentName as keyof typeof moments];
  const at = (path: string, act: () => void) =>
    atCall(moment, call, (from, to) => (call === "renameSync" ? from === path : to === path), act);

  it("is in the notes file, with our note, and in the index", async () => {
    write("memories.md", start);
    await memory.notes.list();
    at(pathOf("memories.md"), prepareSave(kind, pathOf("memories.md"), saved));
    await memory.notes.add({ content: "added by Ralph" });
    expect(read("memories.md")).toContain(saved);
    // A save by rename of what was read before replaces our note: that is what the person asked for.
    const isReplaced = kind === "rename" && momentName === "behind the last call";
    const listed = (await memory.notes.list()).map(({ content }) => content).sort();
    expect(listed).toEqual(
      [
        ...(isReplaced ? [] : ["added by Ralph"]),
        "saved by a person",
        "the first note",
        "the second note",
      ].sort(),
    );
  });

  it("is in the continuity file, with our section", async () => {
    write("CONTINUITY.md", "# Mine\n\nfirst words\n");
    at(pathOf("CONTINUITY.md"), prepareSave(kind, pathOf("CONTINUITY.md"), "a line of mine\n"));
    await memory.working.updateContinuity({ note: "working" });
    await memory.working.updateContinuity({ note: "working on" });
    expect(read("CONTINUITY.md").match(/a line of mine\n|first words\n|# Mine\n/g)).toHaveLength(3);
    expect(read("CONTINUITY.md").match(/- Now: working on\n/g)).toHaveLength(1);
    expect(readdirSync(join(root, ".agent"))).toEqual(["CONTINUITY.md"]);
  });
});

describe("a descriptor that was opened before", () => {
  it("may be written to after many commands: the next one merges it, and git sees the file alone", async () => {
    write("memories.md", start);
    const file = openSync(pathOf("memories.md"), "a");
    for (let number = 0; number < 4; number += 1) await memory.notes.add({ content: `note ${number}` });
    writeSync(file, saved);
    closeSync(file);
    await memory.notes.add({ content: "the last" });
    expect(read("memories.md")).toContain(saved);
    expect(await memory.notes.list()).toHaveLength(8);
    expect(git(root, "status", "--porcelain", "-uall", "--", ".agent", ".ralph")).toBe(
      "?? .agent/memories.md\n",
    );
  });
});

describe("the same note edited by a person and by Ralph", () => {
  it.each(["before", "behind"] as const)("keeps both texts (%s the old file moves)", async (moment) => {
    write("memories.md", start);
    await memory.notes.list();
    const edited = start.replace("the first note", "the first note, by a person");
    atCall(
      moment,
      "renameSync",
      (from) => from === pathOf("memories.md"),
      () => writeFileSync(pathOf("memories.md"), edited),
    );
    await memory.notes.edit("mem-1700000000-0001", { content: "the first note, by Ralph" });
    expect((await memory.notes.get("mem-1700000000-0001")).content).toBe("the first note, by a person");
    const others = (await memory.notes.list()).filter(({ id }) => !id.startsWith("mem-17000"));
    expect(others.map(({ content, tags }) => [content, tags])).toEqual([
      ["the first note, by Ralph", ["mine"]],
    ]);
  });
});

describe("while an editor has emptied the file", () => {
  it.each(["edit", "delete"] as const)("%s waits for it to be filled again", async (verb) => {
    write("memories.md", start);
    await memory.notes.list();
    // At rest for a moment, as if the rest came from a slow disk.
    writeFileSync(pathOf("memories.md"), "# Memories\n");
    const filled = setTimeout(() => writeFileSync(pathOf("memories.md"), start), 300);
    if (verb === "edit") await memory.notes.edit("mem-1700000000-0002", { content: "changed" });
    else await memory.notes.delete("mem-1700000000-0002");
    clearTimeout(filled);
    expect(read("memories.md")).not.toContain("the second note");
    expect(read("memories.md")).toContain("the first note");
  });
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
  expect(existsSync(pathOf(".ralph-replaced"))).toBe(false);
});
