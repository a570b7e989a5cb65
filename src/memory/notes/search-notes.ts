import type { StoredNote } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import { parseQuestion, type Question } from "../../search/question.js";
import { noteKind, tagLabel, typeLabel } from "../../search/record-kinds.js";
import { type FindRecords, searchRecords } from "../../search/search-records.js";
import { keyOfHit, type LexicalHit } from "../../store/lexical-index.js";
import type { NoteRow, NoteScope } from "../../store/repositories/notes/note-rows.js";
import { type StoreContext, toStoredNote } from "../project/place.js";
import { checkTagChoice, earliestTime, type NoteSelection } from "./list-notes.js";
import { newestFirst } from "./newest-first.js";
import { checkType } from "./note-input.js";
import { syncNotes } from "./sync-notes.js";

export interface NoteSearch extends NoteSelection {
  text: string;
  limit?: number | undefined;
}

/** Best first. */
export async function searchNotes(
  shelf: StoreContext,
  { text, ...search }: NoteSearch,
  findRecords: FindRecords = searchRecords,
): Promise<StoredNote[]> {
  if (typeof text !== "string") {
    throw new RalphError("wrong-use", "The search text is missing", {
      hint: 'such as { text: "how do we deploy" }',
    });
  }
  const found = await findNotes(shelf, { ...search, question: parseQuestion(text) }, findRecords);
  return found.map(({ note }) => note);
}

/** A note and its search score, which is comparable within one result list. */
export interface FoundNote {
  note: StoredNote;
  score: number;
}

/** The notes that match a parsed question, best first. */
export async function findNotes(
  shelf: StoreContext,
  {
    question,
    types,
    tags,
    recentDays,
    since: asked,
    limit = -1,
  }: Omit<NoteSearch, "text"> & { question: Question },
  findRecords: FindRecords = searchRecords,
): Promise<FoundNote[]> {
  const fileIds = await syncNotes(shelf);
  const sources = [fileIds.home, fileIds.copy].filter((fileId) => fileId !== undefined).map(String);
  const labelGroups = [
    (types ?? []).map(checkType).map(typeLabel),
    checkTagChoice(tags ?? []).map(tagLabel),
  ].filter((group) => group.length > 0);
  const since = earliestTime(shelf, { recentDays, since: asked });
  const find = async (count: number) => {
    const hits = await findRecords(shelf.store.lexical, {
      question,
      kind: noteKind,
      sources,
      labelGroups,
      since,
      limit: count,
      findWritten: (words, some) => withWords(shelf, fileIds, words, some),
    });
    const rows = await shelf.store.notes.listByIds(fileIds, [...new Set(hits.map((hit) => hit.id))]);
    const visible = new Map(rows.map((row) => [keyOfHit({ source: String(row.fileId), id: row.id }), row]));
    const found = hits.flatMap((hit) => {
      const row = visible.get(keyOfHit(hit));
      return row === undefined ? [] : [{ ...row, score: hit.score }];
    });
    return { found, areAll: count === -1 || hits.length < count };
  };
  const { found } = fileIds.copy === undefined ? await find(limit) : await findVisible(find, limit);
  const ranked = newestFirst(found, comparedNotes);
  return withDescendingScores(ranked.slice(0, limit === -1 ? undefined : limit)).map(({ score, ...row }) => ({
    note: toStoredNote(row, fileIds, shelf.place),
    score,
  }));
}

/** Of some hits, the notes that hold words in a row, as they are written but for capitals. */
async function withWords(
  { store }: StoreContext,
  scope: NoteScope,
  words: string,
  hits: readonly LexicalHit[],
): Promise<LexicalHit[]> {
  const rows = await store.notes.listWith(
    scope,
    words,
    hits.map(({ id }) => id),
  );
  const holding = rows.filter(({ content }) => holdsWords(content, words));
  const keys = new Set(holding.map(({ fileId, id }) => keyOfHit({ source: String(fileId), id })));
  return hits.filter((hit) => keys.has(keyOfHit(hit)));
}

/** Whole words: a player is no layer. */
function holdsWords(content: string, words: string): boolean {
  const bare = (text: string) =>
    ` ${text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim()} `;
  return bare(content).includes(bare(words));
}

type ScoredRow = NoteRow & { score: number };

interface Found {
  found: ScoredRow[];
  areAll: boolean;
}

/** Notes of a copy may be hidden by the shared file, which is only known after the search; a few extra hits usually suffice. */
async function findVisible(find: (count: number) => Promise<Found>, limit: number): Promise<Found> {
  const first = await find(limit === -1 ? -1 : limit * 4);
  return first.areAll || first.found.length >= limit ? first : find(-1);
}

/** Comparing takes time, and readers look at the top hits. */
const comparedNotes = 10;

/** A note that moved before an older one gets at least its score. */
function withDescendingScores(rows: readonly ScoredRow[]): ScoredRow[] {
  let best = Number.NEGATIVE_INFINITY;
  return rows
    .toReversed()
    .map((row) => {
      best = Math.max(best, row.score);
      return { ...row, score: best };
    })
    .toReversed();
}
