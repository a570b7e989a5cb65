import {
  type NoteOrigin,
  type NoteType,
  noteTypes,
  type StoredNote,
  sectionNames,
} from "../../domain/knowledge/note.js";
import { renderNote } from "../../notes/render.js";
import type { NoteScope } from "../../store/repositories/notes/note-rows.js";
import { withoutControlBytes, withoutControls } from "../../text/control-characters.js";
import { fenceAsData, neutraliseContent, neutraliseOnOneLine } from "../../text/fence/fence.js";
import { type BudgetEntry, type BudgetSection, fitIntoBudget } from "../../text/tokens/budget.js";
import { countTokens } from "../../text/tokens/count-tokens.js";
import { fileOf, type StoreContext, toStoredNote } from "../project/place.js";
import { type NoteSelection, noteFilter } from "./list-notes.js";
import { checkType } from "./note-input.js";
import { syncNotes } from "./sync-notes.js";

export interface PrimeOptions extends NoteSelection {
  /** Maximum number of tokens; unlimited if absent or 0. */
  budgetTokens?: number | undefined;
  /** Marks the text as data, so that the surrounding prompt's reader cannot mistake it for instructions. */
  isFenced?: boolean | undefined;
}

export interface PrimeCounts {
  shown: number | "all";
  leftOut: number;
}

export interface PrimeText extends PrimeCounts {
  text: string;
}

export interface Prime {
  /** Section by section, newest first in each. */
  notes: StoredNote[];
  leftOut: number;
}

interface SyncedNotes {
  context: StoreContext;
  fileIds: NoteScope;
}

interface Candidate extends BudgetEntry {
  from: SyncedNotes;
  id: string;
  time: number;
}

const pageSize = 40;
const title = "# Memories\n";

/** Chooses notes for a prompt: all, or those that fit the budget, which the sections share equally. */
export async function primeNotes(contexts: readonly StoreContext[], options: PrimeOptions): Promise<Prime> {
  const open = await syncEach(contexts);
  const budgetTokens = options.budgetTokens || Number.POSITIVE_INFINITY;
  const types = chosenTypes(options);
  const total = await countNotes(open, { ...options, types });
  const sections: BudgetSection<Candidate>[] = [];
  for (const type of types) {
    const entries = await newestCandidates(open, { ...options, types: [type] }, budgetTokens);
    sections.push({ entries, headingTokens: countTokens(`\n${sectionHeading(type)}\n`), share: 1 });
  }
  const choose = (reserve: number) =>
    fitIntoBudget(sections, budgetTokens - countTokens(title) - reserve).flat();
  const all = choose(0);
  const chosen = all.length === total ? all : choose(countTokens(`\n${leftOutLine(total)}\n`));
  return { notes: await readCandidates(open, chosen), leftOut: total - chosen.length };
}

function chosenTypes({ types = [] }: NoteSelection): NoteType[] {
  const wanted = types.map(checkType);
  return noteTypes.filter((type) => wanted.length === 0 || wanted.includes(type));
}

function syncEach(contexts: readonly StoreContext[]): Promise<SyncedNotes[]> {
  return Promise.all(contexts.map(async (context) => ({ context, fileIds: await syncNotes(context) })));
}

async function countNotes(open: readonly SyncedNotes[], selection: NoteSelection): Promise<number> {
  let total = 0;
  for (const { context, fileIds } of open) {
    const counts = await context.store.notes.countByType(noteFilter(context, fileIds, selection));
    for (const count of counts.values()) total += count;
  }
  return total;
}

/** Enough of the newest notes to fill the whole budget. */
async function newestCandidates(
  open: readonly SyncedNotes[],
  selection: NoteSelection,
  budgetTokens: number,
): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const from of open) {
    const { context, fileIds } = from;
    const filter = noteFilter(context, fileIds, selection);
    let tokens = 0;
    for (let offset = 0; tokens < budgetTokens; offset += pageSize) {
      const sizes = await context.store.notes.listSizes(filter, pageSize, offset);
      for (const size of sizes) {
        const cost = size.tokens + markTokens(fileOf(size, fileIds, context.place).origin);
        candidates.push({ from, id: size.id, time: size.time, tokens: cost });
        if (cost <= budgetTokens) tokens += cost;
      }
      if (sizes.length < pageSize) break;
    }
  }
  return open.length > 1 ? candidates.sort((a, b) => b.time - a.time) : candidates;
}

/** The notes of the chosen candidates by section, the project's before the user's. */
async function readCandidates(
  open: readonly SyncedNotes[],
  chosen: readonly Candidate[],
): Promise<StoredNote[]> {
  const notes = new Map<SyncedNotes, Map<string, StoredNote>>();
  for (const from of open) {
    const ids = chosen.filter((candidate) => candidate.from === from).map(({ id }) => id);
    const rows = await from.context.store.notes.listByIds(from.fileIds, ids);
    notes.set(
      from,
      new Map(rows.map((row) => [row.id, toStoredNote(row, from.fileIds, from.context.place)])),
    );
  }
  const found = open.flatMap((from) =>
    chosen.filter((candidate) => candidate.from === from).flatMap(({ id }) => notes.get(from)?.get(id) ?? []),
  );
  return noteTypes.flatMap((type) => found.filter((note) => note.type === type));
}

/** Renders the notes for a prompt as Markdown. */
export async function primeText(
  contexts: readonly StoreContext[],
  options: PrimeOptions,
): Promise<PrimeText> {
  const pieces: string[] = [];
  const decoder = new TextDecoder();
  const counts = await primeInto(contexts, options, (piece) => {
    pieces.push(typeof piece === "string" ? piece : decoder.decode(piece));
  });
  return { text: pieces.join(""), ...counts };
}

/**
 * Writes the Markdown in chunks, which avoids building a long string. Writes nothing if no note fits the budget. Control
 * characters are replaced: the text is for prompts and screens.
 */
export async function primeInto(
  contexts: readonly StoreContext[],
  options: PrimeOptions,
  writeRaw: (piece: string | Uint8Array) => void,
): Promise<PrimeCounts> {
  if (options.isFenced) return primeFenced(contexts, options, writeRaw);
  const write = (piece: string | Uint8Array) =>
    writeRaw(typeof piece === "string" ? withoutControls(piece) : withoutControlBytes(piece));
  if (!options.budgetTokens) {
    await writeEverything(await syncEach(contexts), options, write);
    return { shown: "all", leftOut: 0 };
  }
  const prime = await primeNotes(contexts, options);
  if (prime.notes.length > 0) write(renderPrime(prime));
  return { shown: prime.notes.length, leftOut: prime.leftOut };
}

const introduction = "Memories of this project.";

/** Writes the notes inside a fence; the budget includes the fence and the escaping inside it. */
async function primeFenced(
  contexts: readonly StoreContext[],
  options: PrimeOptions,
  write: (text: string) => void,
): Promise<PrimeCounts> {
  const limit = options.budgetTokens || Number.POSITIVE_INFINITY;
  for (let room = limit - countTokens(`${fenceAsData(introduction, "")}\n`); room > 0; ) {
    const budgetTokens = Number.isFinite(room) ? room : 0;
    const { notes, leftOut } = await primeNotes(contexts, { ...options, budgetTokens });
    if (notes.length === 0) return { shown: 0, leftOut };
    const markdown = renderPrime({ notes: notes.map(neutralised), leftOut }).trimEnd();
    const text = `${fenceAsData(introduction, markdown)}\n`;
    const excess = countTokens(text) - limit;
    if (excess <= 0) {
      write(text);
      return { shown: notes.length, leftOut };
    }
    room -= excess;
  }
  return { shown: 0, leftOut: (await primeNotes(contexts, { ...options, budgetTokens: 0 })).notes.length };
}

function neutralised(note: StoredNote): StoredNote {
  return {
    ...note,
    content: neutraliseContent(note.content),
    tags: note.tags.map((tag) => neutraliseOnOneLine(tag).replaceAll("-->", "--›")),
  };
}

/** A prime as plain Markdown in the format of the notes file. */
function renderPrime({ notes, leftOut }: Prime): string {
  const sections = noteTypes.flatMap((type) => {
    const blocks = notes.filter((note) => note.type === type).map(renderWithOrigin);
    return blocks.length === 0 ? [] : [renderSection(type, blocks.join("\n"))];
  });
  return joinPrime(sections, leftOut);
}

/** All notes, without reading them one by one. */
async function writeEverything(
  open: readonly SyncedNotes[],
  selection: NoteSelection,
  write: (piece: string | Uint8Array) => void,
): Promise<void> {
  let opening = title;
  for (const type of chosenTypes(selection)) {
    let heading = `\n${sectionHeading(type)}\n`;
    for (const { context, fileIds } of open) {
      const filter = noteFilter(context, fileIds, { ...selection, types: [type] });
      const marks = { home: originMark(context.place.home.origin), copy: originMark("worktree") };
      const blocks = await context.store.notes.joinBlocks(filter, marks);
      if (blocks.byteLength === 0) continue;
      write(`${opening}${heading}\n`);
      write(blocks);
      opening = "";
      heading = "";
    }
  }
}

function joinPrime(sections: readonly string[], leftOut: number): string {
  if (sections.length === 0 && leftOut === 0) return "";
  return [title, ...sections, ...(leftOut > 0 ? [`${leftOutLine(leftOut)}\n`] : [])].join("\n");
}

function renderSection(type: NoteType, blocks: string): string {
  return `${sectionHeading(type)}\n\n${blocks}`;
}

function sectionHeading(type: NoteType): string {
  return `## ${sectionNames[type]}`;
}

function renderWithOrigin(note: StoredNote): string {
  return renderNote(note) + originMark(note.origin);
}

/** Printed below notes from other places than the project; other readers of the format ignore it. */
function originMark(origin: NoteOrigin): string {
  return origin === "project" ? "" : `<!-- origin: ${origin} -->\n`;
}

function markTokens(origin: NoteOrigin): number {
  return origin === "project" ? 0 : countTokens(originMark(origin));
}

function leftOutLine(count: number): string {
  return `<!-- ${count} more ${count === 1 ? "memory" : "memories"} left out; find them with: ralph memory search "<words>" -->`;
}
