import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, onTestFinished } from "vitest";
import { noteTypes } from "../../../src/domain/knowledge/note.js";
import type { Memory } from "../../../src/memory/memory.js";
import { openMemory } from "../../../src/memory/open-memory.js";
import { parseNotes } from "../../../src/notes/parse.js";
import { countTokens } from "../../../src/text/tokens/count-tokens.js";
import { asSeen, chatMarkup, hostilePieces, interpreted } from "../../support/hostile-texts.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { sampleNotes } from "../../support/sample-notes.js";
import { put, scratchFolder, scratchRepository } from "../../support/scratch.js";

async function projectAndUser(): Promise<{ memory: Memory; user: Memory; root: string }> {
  const root = scratchRepository();
  const environment = { RALPH_HOME: join(scratchFolder(), "home") };
  const memory = await openMemory({ root, environment });
  const user = await openMemory({ root, environment, owner: "user" });
  onTestFinished(async () => {
    await memory.close();
    await user.close();
  });
  return { memory, user, root };
}

const notesIn = (text: string) =>
  parseNotes(Buffer.from(text), { today: "2026-01-01" }).blocks.map(({ note }) => note);

async function fill(memory: Memory, perType: number): Promise<void> {
  for (let index = 0; index < perType; index += 1) {
    for (const type of noteTypes) {
      await memory.notes.add({
        type,
        content: `${type} number ${index}: why it matters and what to do about it, in some detail`,
      });
    }
  }
}

describe("priming", () => {
  it("prints all notes in the file's own format", async () => {
    const { memory, root } = await projectAndUser();
    put(root, ".agent/memories.md", sampleNotes);
    const { text, leftOut } = await memory.notes.primeText();
    expect(leftOut).toBe(0);
    expect(text.startsWith("# Memories\n\n## Patterns\n\n### mem-1737372100-c3d4\n> Always run")).toBe(true);
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
    expect(notesIn(text).sort(byId)).toEqual(notesIn(sampleNotes.toString()).sort(byId));
    expect((await memory.notes.primeText({ budgetTokens: 100_000 })).text).toBe(text);
  });

  it.each([60, 120, 300, 500, 1000, 2000])(
    "stays within a budget of %i tokens, with whole notes only",
    async (budgetTokens) => {
      const { memory } = await projectAndUser();
      await fill(memory, 12);
      const { text, leftOut } = await memory.notes.primeText({ budgetTokens });
      expect(encode(text).length).toBeLessThanOrEqual(budgetTokens * 1.05);
      for (const note of notesIn(text))
        expect(note).toEqual(expect.objectContaining({ content: (await memory.notes.get(note.id)).content }));
      expect(notesIn(text).length + leftOut).toBe(48);
      if (text !== "" && leftOut > 0)
        expect(text.trimEnd().split("\n").at(-1)).toContain(`${leftOut} more memories left out`);
    },
  );

  it("gives every section its share when the budget is short, the newest first", async () => {
    const { memory } = await projectAndUser();
    await fill(memory, 10);
    const notes = notesIn((await memory.notes.primeText({ budgetTokens: 500 })).text);
    for (const type of noteTypes) {
      const shown = notes.filter((note) => note.type === type).map(({ content }) => content);
      expect(shown.length).toBeGreaterThan(0);
      expect(shown[0]).toContain("number 9");
    }
  });

  it("shows more than one section when a share has no room for a note", async () => {
    const { memory } = await projectAndUser();
    await fill(memory, 15);
    const notes = notesIn((await memory.notes.primeText({ budgetTokens: 200 })).text);
    expect(new Set(notes.map(({ type }) => type)).size).toBeGreaterThan(1);
  });

  it("selects by type, tag and age", async () => {
    const { memory, root } = await projectAndUser();
    put(root, ".agent/memories.md", sampleNotes);
    const { note } = await memory.notes.add({ content: "of today", tags: ["now"] });
    const shown = async (options: object) =>
      notesIn((await memory.notes.primeText(options)).text).map(({ id }) => id);
    expect(await shown({ types: ["fix", "context"] })).toEqual([
      "mem-1737390000-g7h8",
      "mem-1737400000-i9j0",
    ]);
    expect(await shown({ tags: ["now", "storage"] })).toEqual([note.id, "mem-1737380000-e5f6"]);
    expect(await shown({ recentDays: 30 })).toEqual([note.id]);
    expect((await memory.notes.prime({ recentDays: 0 })).notes).toHaveLength(6);
  });

  it("puts project and user notes together and marks the user's", async () => {
    const { memory, user } = await projectAndUser();
    await memory.notes.add({ content: "of the project" });
    await user.notes.add({ content: "of the user", type: "context" });
    for (const options of [{}, { budgetTokens: 1000 }]) {
      const { text } = await memory.notes.primeText(options);
      expect(text).toMatch(/> of the project\n<!-- tags: {2}\| created: .* -->\n\n## Context/);
      expect(text).toMatch(/> of the user\n<!-- tags: {2}\| created: .* -->\n<!-- origin: user -->\n$/);
    }
    expect((await memory.notes.prime()).notes.map(({ origin }) => origin)).toEqual(["project", "user"]);
    expect(await memory.notes.list()).toHaveLength(1);
  });

  it("prints nothing when nothing fits, and says how much was left out", async () => {
    const { memory } = await projectAndUser();
    await fill(memory, 1);
    expect(await memory.notes.primeText({ budgetTokens: 5 })).toEqual({ text: "", shown: 0, leftOut: 4 });
  });
});

it("a fenced prime keeps hostile notes inside its fence and its budget, whole or not at all", async () => {
  const memory = await openScratchMemory();
  for (const [index, piece] of hostilePieces.entries()) {
    const type = (["fix", "pattern", "decision"] as const)[index % 3] ?? "fix";
    await memory.notes.add({ content: `note ${index}: ${piece}${piece} ${piece} end`, type, tags: ["t"] });
  }
  for (const budgetTokens of [0, 60, 100, 300, 1000, 3000]) {
    const { text, shown, leftOut } = await memory.notes.primeText({ budgetTokens, isFenced: true });
    if (budgetTokens > 0) expect(countTokens(text)).toBeLessThanOrEqual(budgetTokens);
    expect(Number(shown) + leftOut).toBe(hostilePieces.length);
    expect(text.match(/^### mem-/gm) ?? []).toHaveLength(Number(shown));
    if (shown === 0) expect(text).toBe("");
    else expect(asSeen(text).match(/<[\s/]*ralph-memory/gi)).toHaveLength(2);
    expect(asSeen(text)).not.toMatch(interpreted);
    expect(asSeen(text)).not.toMatch(chatMarkup);
  }
});
