import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import type { Notice } from "../../../src/memory/notice.js";
import { openMemory } from "../../../src/memory/open-memory.js";
import type { OpenMemoryOptions } from "../../../src/memory/project/open-project.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { sampleNotes } from "../../support/sample-notes.js";
import { put, scratchRepository } from "../../support/scratch.js";

async function open(root: string, options: OpenMemoryOptions = {}): Promise<Memory> {
  const memory = await openMemory({ root, environment: { RALPH_HOME: join(root, ".home") }, ...options });
  onTestFinished(() => memory.close());
  return memory;
}

function projectWith(notes: string | Buffer): { root: string; file: string } {
  const root = scratchRepository();
  put(root, ".agent/memories.md", notes);
  return { root, file: join(root, ".agent/memories.md") };
}

async function openProject(notes: string | Buffer = sampleNotes) {
  const project = projectWith(notes);
  return { ...project, memory: await open(project.root) };
}

/** Which row of the index holds which note; a note that is indexed again gets a new one. */
async function rowNumbers(root: string): Promise<Record<string, number>> {
  const database = (await loadSqliteEngine()).open(join(root, ".ralph", "memory.db"), { readOnly: true });
  const rows = database.prepare("SELECT id, note_key AS key FROM notes").all() as {
    id: string;
    key: number;
  }[];
  database.close();
  return Object.fromEntries(rows.map(({ id, key }) => [id, key]));
}

const ids = (notes: { id: string }[]) => notes.map(({ id }) => id);

describe("notes", () => {
  it("are there again when the memory is opened the next time", async () => {
    const root = scratchRepository();
    const first = await open(root);
    const { note } = await first.notes.add({
      content: "uses barrel exports",
      type: "decision",
      tags: ["imports"],
    });
    await first.close();
    expect(await (await open(root)).notes.list()).toEqual([{ ...note, origin: "project" }]);
  });

  it("are added and deleted without a trace in the file", async () => {
    const { file, memory } = await openProject();
    const { note } = await memory.notes.add({ content: "new\n\nwith ### and --> and |", type: "fix" });
    expect(await memory.notes.get(note.id)).toMatchObject({ content: "new\n\nwith ### and --> and |" });
    await memory.notes.delete(note.id);
    expect(readFileSync(file).equals(sampleNotes)).toBe(true);
  });

  it("leave no trace of a section that was made for them, even when several came and went", async () => {
    const { file, memory } = await openProject("My own words, no sections");
    const one = await memory.notes.add({ content: "one", type: "fix" });
    const two = await memory.notes.add({ content: "two", type: "fix" });
    await memory.notes.delete(one.note.id);
    await memory.notes.delete(two.note.id);
    expect(readFileSync(file, "utf8")).toBe("My own words, no sections");
  });

  it("are not added twice: the same type and words are the same note", async () => {
    const memory = await open(scratchRepository());
    const first = await memory.notes.add({ content: "Uses  barrel exports" });
    const again = await memory.notes.add({ content: "uses barrel\nEXPORTS" });
    const other = await memory.notes.add({ content: "uses barrel exports", type: "fix" });
    expect([again.kind, again.note.id]).toEqual(["existing", first.note.id]);
    expect(other.kind).toBe("added");
  });

  it("get different ids in the same second, even when chance repeats itself", async () => {
    let calls = 0;
    const memory = await open(scratchRepository(), {
      clock: () => new Date(1_800_000_000_000),
      random: () => (++calls < 150 ? "aaaa" : "bbbb"),
    });
    const notes = [];
    for (const content of ["a", "b", "c"]) notes.push((await memory.notes.add({ content })).note.id);
    expect(new Set(notes).size).toBe(3);
  });

  it("lose their secrets on the way in, and on the way out when a person wrote them down", async () => {
    const { file, memory } = await openProject();
    const { note, redacted } = await memory.notes.add({ content: "db is postgres://app:hunter2@host/x" });
    expect(redacted).toEqual(["url-credentials"]);
    expect(readFileSync(file, "utf8")).not.toContain("hunter2");
    appendFileSync(
      file,
      "\n### mem-1737400001-aaaa\n> by hand: mysql://root:letmein99@host\n<!-- tags:  | created: 2025-01-21 -->\n",
    );
    const everything = JSON.stringify([
      await memory.notes.list(),
      await memory.notes.search({ text: "by hand letmein99" }),
      await memory.notes.primeText(),
    ]);
    expect(everything).not.toContain("letmein99");
    expect(note.content).toContain("[redacted:url-credentials]");
    expect(readFileSync(file, "utf8")).toContain("letmein99");
  });

  it("changed by hand are noticed at the next look, and only those are indexed again", async () => {
    const { root, file, memory } = await openProject();
    expect(await memory.notes.search({ text: "cargo" })).toHaveLength(1);
    const before = await rowNumbers(root);
    writeFileSync(file, readFileSync(file, "utf8").replace("`cargo test`", "`npm run check`"));
    expect(await memory.notes.search({ text: "cargo" })).toEqual([]);
    expect(ids(await memory.notes.search({ text: "npm check" }))).toEqual(["mem-1737372100-c3d4"]);
    expect(await rowNumbers(root)).toEqual({ ...before, "mem-1737372100-c3d4": 6 });
    rmSync(file);
    expect(await memory.notes.list()).toEqual([]);
  });

  it("whose file was only touched stay as they are", async () => {
    const { root, file, memory } = await openProject();
    await memory.notes.list();
    const before = await rowNumbers(root);
    utimesSync(file, 5, 5);
    expect(await memory.notes.list()).toHaveLength(5);
    expect(await rowNumbers(root)).toEqual(before);
  });

  it("that are malformed are reported once, with their line, until the file changes", async () => {
    const { root, file } = projectWith(sampleNotes);
    appendFileSync(file, "\n### mem-odd!\n> x\n");
    const notices: Notice[] = [];
    const memory = await open(root, { onNotice: (notice) => notices.push(notice) });
    await memory.notes.list();
    await memory.notes.list();
    const { note } = await memory.notes.add({ content: "more" });
    await memory.notes.delete(note.id);
    expect(notices).toEqual([
      { kind: "malformed-notes", path: file, problems: [{ line: 32, message: "invalid note id: mem-odd!" }] },
    ]);
    expect(readFileSync(file, "utf8")).toContain("### mem-odd!\n> x\n");
  });

  it("with conflict markers are read but for those of the conflict, and not written", async () => {
    const { root, file } = projectWith(sampleNotes);
    const conflict = "\n### mem-odd\n<<<<<<< HEAD\n> mine\n=======\n> theirs\n>>>>>>> branch\n";
    writeFileSync(file, `${sampleNotes}${conflict}`);
    const notices: Notice[] = [];
    const memory = await open(root, { onNotice: (notice) => notices.push(notice) });
    expect(await memory.notes.list()).toHaveLength(5);
    expect(ids(await memory.notes.search({ text: "postgresql" }))).toEqual(["mem-1737390000-g7h8"]);
    const message = "git conflict marker: not read until it is resolved: mem-odd";
    const problems = [{ line: 33, message, ids: ["mem-odd"] }];
    expect(notices).toEqual([{ kind: "malformed-notes", path: file, problems }]);
    const refusal = { code: "merge-conflict", message: `Git conflict marker in ${file}, line 33` };
    await expect(memory.notes.add({ content: "x" })).rejects.toMatchObject(refusal);
    await expect(memory.notes.edit("mem-1737390", { content: "x" })).rejects.toMatchObject(refusal);
    await expect(memory.notes.delete("mem-1737390")).rejects.toMatchObject(refusal);
    expect(readFileSync(file, "utf8")).toBe(`${sampleNotes}${conflict}`);
    const { isHealthy, checks } = await memory.checkHealth();
    expect(isHealthy).toBe(false);
    expect(checks).toContainEqual({
      part: "notes",
      status: "failed",
      detail: `${file}, line 33: ${message}`,
    });
    writeFileSync(file, `${sampleNotes}\n### mem-odd\n> mine and theirs\n`);
    expect(await memory.notes.list()).toHaveLength(6);
  });

  it("of one id are shown one after the other, as the first is deleted", async () => {
    const { root, file } = projectWith(sampleNotes);
    appendFileSync(file, "\n### mem-twice\n> first\n\n### mem-twice\n> second\n");
    const memory = await open(root);
    const shown = async () => (await memory.notes.list()).filter(({ id }) => id === "mem-twice");
    await memory.notes.delete("mem-twice");
    expect(await shown()).toMatchObject([{ content: "second" }]);
    expect(await memory.notes.search({ text: "second" })).toHaveLength(1);
    await memory.notes.delete("mem-twice");
    expect(await shown()).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe(sampleNotes.toString());
  });

  it("are found by an abbreviated id when it is unique", async () => {
    const { memory } = await openProject();
    expect((await memory.notes.get("mem-1737390")).id).toBe("mem-1737390000-g7h8");
    await expect(memory.notes.get("mem-17373")).rejects.toMatchObject({
      code: "ambiguous",
      message: expect.stringContaining("mem-1737372000-a1b2"),
    });
    await expect(memory.notes.get("mem-nope")).rejects.toMatchObject({
      code: "not-found",
      message: "Memory not found: mem-nope",
    });
    await expect(memory.notes.delete("")).rejects.toMatchObject({ code: "not-found" });
  });

  it("are changed in place and found by their new words", async () => {
    const { memory } = await openProject();
    const { note } = await memory.notes.edit("mem-1737390", {
      content: "Redis must run first",
      tags: ["redis"],
      type: "context",
    });
    expect(note).toEqual({
      id: "mem-1737390000-g7h8",
      type: "context",
      content: "Redis must run first",
      tags: ["redis"],
      created: "2025-01-21",
      origin: "project",
    });
    expect(ids(await memory.notes.search({ text: "redis" }))).toEqual([note.id]);
    expect(await memory.notes.search({ text: "postgresql" })).toEqual([]);
    await expect(memory.notes.edit(note.id, {})).rejects.toMatchObject({ code: "wrong-use" });
  });

  it.each([
    ["", /note is empty/],
    [" \n ", /note is empty/],
    ["x".repeat(16 * 1024 + 1), /at most 16384 bytes/],
    ["a\0b", /not binary/],
  ])("are refused when the content is wrong", async (content, message) => {
    const memory = await open(scratchRepository());
    await expect(memory.notes.add({ content })).rejects.toThrow(message);
    expect(await memory.notes.list()).toEqual([]);
  });

  it.each(["a|b", "a,b", "a-->b", "a\nb"])(
    "are refused when a tag could not be read back: %j",
    async (tag) => {
      const memory = await open(scratchRepository());
      await expect(memory.notes.add({ content: "x", tags: [tag] })).rejects.toMatchObject({
        code: "wrong-use",
      });
    },
  );

  it("leave no files behind when somebody only looks", async () => {
    const root = scratchRepository();
    const memory = await open(root);
    expect(await memory.notes.list()).toEqual([]);
    expect(await memory.notes.search({ text: "x" })).toEqual([]);
    expect(await memory.notes.primeText()).toMatchObject({ text: "" });
    expect(() => statSync(join(root, ".ralph"))).toThrow();
    expect(() => statSync(join(root, ".agent"))).toThrow();
  });

  it("keep a section header that a person wrote, whatever was there before", async () => {
    const { file, memory } = await openProject("# M\n\nprose\n");
    await memory.notes.delete((await memory.notes.add({ content: "one", type: "fix" })).note.id);
    writeFileSync(file, "# M\n\nprose\n\n## Fixes\n");
    await memory.notes.delete((await memory.notes.add({ content: "two", type: "fix" })).note.id);
    expect(readFileSync(file, "utf8")).toBe("# M\n\nprose\n\n## Fixes\n");
  });

  it.each([
    ["prose without an end", [0, 1]],
    ["prose without an end", [1, 0]],
    ["prose\n", [0, 1]],
    ["prose\n", [1, 0]],
    ["prose\r\n", [0, 1]],
    ["", [0, 1]],
  ])("leave %j as it was when two sections came and went in the order %j", async (before, order) => {
    const { file, memory } = await openProject(before);
    const ids = [
      (await memory.notes.add({ content: "a", type: "fix" })).note.id,
      (await memory.notes.add({ content: "b", type: "context" })).note.id,
    ];
    for (const index of order) await memory.notes.delete(ids[index] ?? "");
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("keep what their author wrote into their lines when they are edited or moved", async () => {
    const root = scratchRepository();
    mkdirSync(join(root, ".agent"));
    const file = join(root, ".agent", "memories.md");
    const block = Buffer.concat([
      Buffer.from("### mem-1-a Important: by Bob\n> caf"),
      Buffer.from([0xe9]),
      Buffer.from("\n<!-- tags: a | created: 2025-01-01 | author: bob -->\n<!-- origin: user -->\n"),
    ]);
    writeFileSync(file, Buffer.concat([Buffer.from("## Patterns\n\n"), block, Buffer.from("\n## Fixes\n")]));
    const memory = await open(root);
    await memory.notes.edit("mem-1-a", { type: "fix", tags: ["zz", "ü"] });
    const expected = Buffer.from(
      block.toString("latin1").replace("tags: a |", `tags: zz, ${Buffer.from("ü").toString("latin1")} |`),
      "latin1",
    );
    expect(
      readFileSync(file).equals(Buffer.concat([Buffer.from("## Patterns\n\n## Fixes\n\n"), expected])),
    ).toBe(true);
    await memory.notes.delete("mem-1-a");
    expect(readFileSync(file, "utf8")).toBe("## Patterns\n\n## Fixes\n");
  });

  it("are refused by the library when they are not what they should be", async () => {
    const root = scratchRepository();
    const memory = await open(root);
    const wrong = (value: unknown) => value as never;
    await expect(memory.notes.add({ content: "x", type: wrong("foo") })).rejects.toMatchObject({
      code: "wrong-use",
    });
    await expect(memory.notes.add({ content: wrong(7) })).rejects.toMatchObject({ code: "wrong-use" });
    await expect(memory.notes.search(wrong({}))).resolves.toEqual([]);
    await expect(memory.notes.primeText({ types: [wrong("foo")] })).rejects.toMatchObject({
      code: "wrong-use",
    });
    expect(() => statSync(join(root, ".ralph"))).toThrow();
    await memory.notes.add({ content: "x" });
    await expect(memory.notes.search(wrong("x"))).rejects.toMatchObject({ code: "wrong-use" });
    await memory.close();
    await expect(memory.notes.list()).rejects.toThrow(/closed/);
  });
});

describe("searching notes", () => {
  it("answers a question", async () => {
    const { memory } = await openProject();
    const text = "how do we start the database when the connection is refused";
    expect(ids(await memory.notes.search({ text }))[0]).toBe("mem-1737390000-g7h8");
  });

  it("finds identifiers whole, in parts and in another spelling", async () => {
    const memory = await open(scratchRepository());
    const { note } = await memory.notes.add({ content: "Call openSqliteStore from src/store/open-store.ts" });
    await memory.notes.add({ content: "Nothing to see here" });
    for (const text of [
      "openSqliteStore",
      "open_sqlite_store",
      "sqlite",
      "open-store.ts",
      "src/store/open-store.ts",
    ]) {
      expect(ids(await memory.notes.search({ text }))[0]).toBe(note.id);
    }
  });

  it("falls back to beginnings of words and to one typo where nothing else matches", async () => {
    const memory = await open(scratchRepository());
    const { note } = await memory.notes.add({ content: "Authentication uses short-lived tokens" });
    for (const text of ["auth", "authentcation", "athentication", "tokans"]) {
      expect(ids(await memory.notes.search({ text }))).toEqual([note.id]);
    }
    expect(await memory.notes.search({ text: "kubernetes" })).toEqual([]);
  });

  it("narrows by type and by any of the tags", async () => {
    const { memory } = await openProject();
    const search = async (over: object) =>
      ids(await memory.notes.search({ text: "architecture storage docker run", ...over })).sort();
    expect(await search({ types: ["context"] })).toEqual(["mem-1737400000-i9j0"]);
    expect(await search({ tags: ["storage", "docker"] })).toEqual([
      "mem-1737380000-e5f6",
      "mem-1737390000-g7h8",
    ]);
    expect(await search({ limit: 1 })).toHaveLength(1);
  });
});
