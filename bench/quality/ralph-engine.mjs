import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "../../dist/library/index.js";
import { environmentOf } from "./environment.mjs";

const types = { Patterns: "pattern", Decisions: "decision", Fixes: "fix", Context: "context" };

/** A scratch project whose notes are the documents, added in order and with their dates through the library. */
export async function openRalph(documents, _set, embedder) {
  const folder = mkdtempSync(join(tmpdir(), "ralph-quality-"));
  let now = new Date("2026-01-01T00:00:00Z");
  const memory = await openMemory({
    root: folder,
    environment: environmentOf(folder, embedder),
    clock: () => now,
    // Counts through the ids of a second, so that thousands of notes fit into one.
    random: counter(),
  });
  const documentsOf = new Map();
  for (const { id, text, tags, type, date } of documents) {
    now = timeOf(date) ?? now;
    const { note } = await memory.notes.add({
      content: text,
      tags: tags.map(plainTag),
      type: types[type] ?? "context",
    });
    documentsOf.set(note.id, [...(documentsOf.get(note.id) ?? []), id]);
  }
  if (embedder !== undefined) await memory.embed();
  return {
    search: async (text, limit) =>
      (await memory.notes.search({ text, limit })).flatMap((note) => documentsOf.get(note.id) ?? []),
    /** What a brief for a text shows, and the brief. */
    async recall(objective, budgetTokens) {
      const { entries, text } = await memory.recall({ objective, budgetTokens });
      return { ids: entries.flatMap(({ id }) => documentsOf.get(id) ?? []), text };
    },
    async close() {
      await memory.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function counter() {
  let count = 0;
  return () => {
    count = (count + 1) % 65_536;
    return count.toString(16).padStart(4, "0");
  };
}

/** `2026-01-22`, or `1:56 pm on 8 May, 2023`. */
function timeOf(date) {
  if (date === undefined) return undefined;
  const spoken = /^(\d+):(\d+) (am|pm) on (\d+ \w+),? (\d{4})$/.exec(date);
  const time = new Date(
    spoken ? `${spoken[4]} ${spoken[5]} ${spoken[1]}:${spoken[2]} ${spoken[3]} UTC` : date,
  );
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function plainTag(tag) {
  return tag.replace(/[|,<>]|--/g, " ").trim();
}
