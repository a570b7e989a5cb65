import type { StoredNote } from "../../../domain/knowledge/note.js";
import { fenceAsData, neutraliseContent, neutraliseOnOneLine } from "../../../text/fence/fence.js";
import { countTokens } from "../../../text/tokens/count-tokens.js";
import type { Shelf } from "../../places/shelf.js";
import { type PrimeCounts, type PrimeOptions, primeNotes, renderPrime } from "./prime-notes.js";

const introduction = "Memories of this project.";

/** Writes the notes inside a fence; the budget includes the fence and what makes the notes safe inside it. */
export async function primeFenced(
  shelves: readonly Shelf[],
  options: PrimeOptions,
  write: (text: string) => void,
): Promise<PrimeCounts> {
  const limit = options.budgetTokens || Number.POSITIVE_INFINITY;
  for (let room = limit - countTokens(`${fenceAsData(introduction, "")}\n`); room > 0; ) {
    const { notes, leftOut } = await primeNotes(shelves, {
      ...options,
      budgetTokens: Number.isFinite(room) ? room : 0,
    });
    if (notes.length === 0) return { shown: 0, leftOut };
    const text = `${fenceAsData(introduction, renderPrime({ notes: notes.map(neutralised), leftOut }).trimEnd())}\n`;
    const excess = countTokens(text) - limit;
    if (excess <= 0) {
      write(text);
      return { shown: notes.length, leftOut };
    }
    room -= excess;
  }
  return { shown: 0, leftOut: (await primeNotes(shelves, { ...options, budgetTokens: 0 })).notes.length };
}

function neutralised(note: StoredNote): StoredNote {
  return {
    ...note,
    content: neutraliseContent(note.content),
    tags: note.tags.map((tag) => neutraliseOnOneLine(tag).replaceAll("-->", "--›")),
  };
}
