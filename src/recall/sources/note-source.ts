import type { StoredNote } from "../../domain/knowledge/note.js";
import { timeOfNote } from "../../domain/knowledge/record-ids.js";
import type { Question } from "../../search/question.js";
import { liftsOf } from "../../semantic/evidence.js";
import { recency } from "../../semantic/retrieve/relevant-knowledge.js";
import type { Repositories } from "../../store/store.js";
import { neutraliseContent, neutraliseLine } from "../../text/fence/fence.js";
import { type Candidate, type CandidateSource, scoreOf } from "../candidate.js";
import type { RecallQuestion } from "../recall-question.js";
import { type Found, type Relevant, toRelevance } from "../relevance.js";
import { notes } from "../weights.js";

/** The notes of one store. */
export interface NoteAccess {
  repositories: Repositories;
  /** Best first. */
  search(question: Question, limit: number): Promise<readonly { note: StoredNote; score: number }[]>;
  /** Newest first. */
  listNewest(limit: number): Promise<readonly StoredNote[]>;
  /** Whether notes are found by vectors too. */
  isByMeaning: boolean;
}

/** Notes that match the question, as many of the newest others as fit after them, or nothing but a few of the newest. */
export type WantedNotes = "relevant" | "all" | "newest";

/** Notes that match the question, and others if asked for. */
export function noteSource(stores: readonly NoteAccess[], wanted: WantedNotes): CandidateSource {
  const newestWanted = { relevant: 0, all: notes.filling, newest: notes.newest }[wanted];
  return {
    kind: "note",
    async find(question) {
      const relevant = new Map<string, Relevant<StoredNote>>();
      const others: StoredNote[] = [];
      const lifts = new Map<string, number>();
      const isByMeaning = stores.some((store) => store.isByMeaning);
      for (const { repositories, search, listNewest } of stores) {
        const found: StoredNote[] = [];
        for (const each of wanted === "newest" ? [] : question.questions) {
          const answer = (await search(each, notes.found)).map(toFound);
          found.push(...answer.map(({ item }) => item));
          for (const hit of toRelevance(question.coverage, answer, { isByMeaning }))
            if (hit.relevance > (relevant.get(hit.item.id)?.relevance ?? 0)) relevant.set(hit.item.id, hit);
        }
        const newest = newestWanted > 0 ? await listNewest(newestWanted) : [];
        others.push(...newest);
        const ids = [...found, ...newest].map(({ id }) => id);
        for (const [id, lift] of await liftsOf(repositories, ids)) lifts.set(id, lift);
      }
      const filled = others.filter(({ id }) => !relevant.has(id)).map((item) => ({ item, relevance: 0 }));
      return noteCandidates([...relevant.values(), ...filled], question, lifts);
    },
  };
}

function noteCandidates(
  found: readonly Relevant<StoredNote>[],
  question: RecallQuestion,
  lifts: ReadonlyMap<string, number>,
): Candidate[] {
  return found
    .filter(({ item: { id } }) => (lifts.get(id) ?? 0) >= 0)
    .map(({ item: note, relevance }) => {
      const { id, content } = note;
      return {
        id,
        kind: "note",
        section: note.origin === "user" ? ("own-notes" as const) : ("notes" as const),
        statement: content,
        text: renderedNote(note),
        why: relevance > 0 ? "answers the question" : "one of the newest",
        ...scoreOf({
          text: relevance,
          prior: notes.prior + notes.recency * recency(timeOfNote(note), question.now),
          errors: question.errors.some((error) => content.includes(error)) ? 1 : 0,
          files: question.files.some((file) => content.includes(file)) ? 1 : 0,
          evidence: lifts.get(id) ?? 0,
        }),
      };
    });
}

function toFound({ note, score }: { note: StoredNote; score: number }): Found<StoredNote> {
  return { item: note, text: [note.content, ...note.tags].join(" "), score };
}

function renderedNote({ id, type, content, tags, origin }: StoredNote): string {
  const labels = [type, ...tags, ...(origin === "worktree" ? [origin] : [])].join(", ");
  const [first = "", ...others] = neutraliseContent(content.trim()).split("\n");
  return [`- [${id}] (${neutraliseLine(labels)}) ${first}`, ...others.map((line) => `  ${line}`)].join("\n");
}
