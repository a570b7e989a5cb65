import type { StoredNote } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import { parseQuestion, type Question } from "../../search/question.js";
import { noteKind, tagLabel, typeLabel } from "../../search/record-kinds.js";
import { type FindRecords, searchRecords } from "../../search/search-records.js";
import { parseStatement, relationOfParsed } from "../../semantic/replace/relation-to-older.js";
import { keyOfHit } from "../../store/lexical-index.js";
import type { NoteRow } from "../../store/repositories/notes/note-rows.js";
import { longestStatement, shareWords } from "../../words/share-words.js";
import { compareStatements, sameStatement } from "../../words/similarity.js";
import { wordsOf } from "../../words/words.js";
import { type StoreContext, toStoredNote } from "../project/place.js";
import { checkTagChoice, earliestTime, type NoteSelection } from "./list-notes.js";
import { checkType } from "./note-input.js";
import { syncNotes } from "./sync-notes.js";

export interface NoteSearch extends NoteSelection {
  text: string;
  limit?: number | undefined;
}

/** Best first. */
export async function searchNotes(
  context: StoreContext,
  { text, ...search }: NoteSearch,
  findRecords: FindRecords = searchRecords,
): Promise<StoredNote[]> {
  if (typeof text !== "string") {
    throw new RalphError("wrong-use", "The search text is missing", {
      hint: 'such as { text: "how do we deploy" }',
    });
  }
  const found = await findNotes(context, { ...search, question: parseQuestion(text) }, findRecords);
  return found.map(({ note }) => note);
}

/** A note and its search score, which is comparable within one result list. */
export interface FoundNote {
  note: StoredNote;
  score: number;
}

/** The notes that match a parsed question, best first. */
export async function findNotes(
  context: StoreContext,
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
  const fileIds = await syncNotes(context);
  const sources = [fileIds.home, fileIds.copy].filter((fileId) => fileId !== undefined).map(String);
  const labelGroups = [
    (types ?? []).map(checkType).map(typeLabel),
    checkTagChoice(tags ?? []).map(tagLabel),
  ].filter((group) => group.length > 0);
  const since = earliestTime(context, { recentDays, since: asked });
  const find = async (count: number) => {
    const hits = await findRecords(context.store.lexical, {
      question,
      kind: noteKind,
      sources,
      labelGroups,
      since,
      limit: count,
    });
    const rows = await context.store.notes.listByIds(fileIds, [...new Set(hits.map((hit) => hit.id))]);
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
    note: toStoredNote(row, fileIds, context.place),
    score,
  }));
}

type ScoredRow = NoteRow & { score: number };

interface Found {
  found: ScoredRow[];
  areAll: boolean;
}

/** Notes of a copy may be hidden by the shared file, which is known only after the search; a few extra hits usually suffice. */
async function findVisible(find: (count: number) => Promise<Found>, limit: number): Promise<Found> {
  const first = await find(limit === -1 ? -1 : limit * 4);
  return first.areAll || first.found.length >= limit ? first : find(-1);
}

/** Comparing takes time, and readers only see the top hits. */
const comparedNotes = 10;

/** A note moved before an older one gets at least its score. */
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

interface Dated {
  content: string;
  time: number;
  type?: string;
  key?: number;
}

/** Texts less similar than this are about different things. */
const leastSimilarity = 0.4;
/** The threshold for the share of common words, which is faster to compute. */
const leastShared = 0.5;

/** Keeps the order, except that a text among the first few moves before an older one that it supersedes. */
export function newestFirst<Item extends Dated>(found: readonly Item[], compared: number): Item[] {
  const head = found.slice(0, compared).map((item) => ({ item, ...wordsIn(item.content) }));
  const order = [...head];
  for (const [place, newer] of head.entries()) {
    const older = order.slice(0, order.indexOf(newer)).find((candidate) => supersedes(newer, candidate));
    if (older === undefined || place === 0) continue;
    order.splice(order.indexOf(newer), 1);
    order.splice(order.indexOf(older), 0, newer);
  }
  return [...order.map(({ item }) => item), ...found.slice(compared)];
}

type Candidate = ReturnType<typeof wordsIn> & { item: Dated };

function wordsIn(content: string) {
  const isLong = content.length > longestStatement;
  const words: ReadonlySet<string> = new Set(isLong ? [] : wordsOf(content));
  return { isLong, words };
}

function supersedes(newer: Candidate, older: Candidate): boolean {
  if (newer.isLong || older.isLong || !isNewer(newer.item, older.item)) return false;
  if (!shareWords(newer.words, older.words, leastShared)) return false;
  const [after, before] = [parseStatement(newer.item.content), parseStatement(older.item.content)];
  const share = compareStatements(after.words, before.words);
  if (share < leastSimilarity || share >= sameStatement) return false;
  return relationOfParsed(before, after) === "supersedes";
}

/** Whether one note is newer than another; within one second, only notes of one section are ordered. */
function isNewer(one: Dated, other: Dated): boolean {
  if (one.time !== other.time) return one.time > other.time;
  return one.type === other.type && (one.key ?? 0) > (other.key ?? 0);
}
