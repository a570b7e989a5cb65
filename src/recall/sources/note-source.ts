import { dayMs } from "../../domain/clock.js";
import type { StoredNote } from "../../domain/knowledge/note.js";
import { timeOfNote } from "../../domain/knowledge/note-id.js";
import { liftsOf } from "../../semantic/evidence/record-lifts.js";
import type { Repositories } from "../../store/store.js";
import { neutraliseContent, neutraliseLine } from "../../text/fence/fence.js";
import type { Candidate } from "../candidate.js";
import type { CandidateSource } from "../candidate-source.js";
import { judgeRanking } from "../judge-ranking.js";
import type { RecallQuestion } from "../recall-question.js";
import { scoreOf } from "../score-candidate.js";

/** What a person or agent took the trouble to write down is worth this much, whatever is asked. */
const priorOfNote = 0.6;
const recentDays = 90;
const recencyShare = 0.1;

/** How many notes a search finds, and how many others may fill what room is left. */
const foundNotes = 16;
const fillingNotes = 60;

/** The notes of one store. */
export interface NoteAccess {
  repositories: Repositories;
  /** Best first. */
  search(text: string, limit: number): Promise<readonly StoredNote[]>;
  /** Newest first. */
  listNewest(limit: number): Promise<readonly StoredNote[]>;
  /** Whether notes are found by vectors as well as by words. */
  isByMeaning: boolean;
}

export interface NoteOptions {
  /** The newest other notes fill what room is left. */
  isFilledUp: boolean;
}

/** Notes that answer the question, and others where wanted. */
export function noteSource(stores: readonly NoteAccess[], { isFilledUp }: NoteOptions): CandidateSource {
  return {
    kind: "note",
    async find(question) {
      const relevances = new Map<StoredNote, number>();
      const others: StoredNote[] = [];
      const lifts = new Map<string, number>();
      const isByMeaning = stores.some((store) => store.isByMeaning);
      for (const { repositories, search, listNewest } of stores) {
        const found: StoredNote[] = [];
        for (const text of question.texts) {
          const answer = await search(text, foundNotes);
          found.push(...answer);
          for (const { item, relevance } of judgeRanking(question.asked, answer, wholeText, isByMeaning))
            relevances.set(item, Math.max(relevances.get(item) ?? 0, relevance));
        }
        const newest = isFilledUp ? await listNewest(fillingNotes) : [];
        others.push(...newest);
        const ids = [...found, ...newest].map(({ id }) => id);
        for (const [id, lift] of await liftsOf(repositories, ids)) lifts.set(id, lift);
      }
      return noteCandidates(relevances, others, question, lifts);
    },
  };
}

function noteCandidates(
  relevances: ReadonlyMap<StoredNote, number>,
  others: readonly StoredNote[],
  question: RecallQuestion,
  lifts: ReadonlyMap<string, number>,
): Candidate[] {
  const known = new Map([...relevances.keys()].map((note) => [note.id, note]));
  const all = [...known.values(), ...others.filter(({ id }) => !known.has(id))];
  return all
    .filter(({ id }) => (lifts.get(id) ?? 0) >= 0)
    .map((note) => {
      const { id, content } = note;
      return {
        id,
        kind: "note",
        section: "notes" as const,
        statement: content,
        text: renderedNote(note),
        ...scoreOf({
          text: relevances.get(note) ?? 0,
          prior: priorOfNote + recencyShare * recency(note, question.now),
          errors: question.errors.some((error) => content.includes(error)) ? 1 : 0,
          files: question.files.some((file) => content.includes(file)) ? 1 : 0,
          evidence: lifts.get(id) ?? 0,
        }),
      };
    });
}

function wholeText({ content, tags }: StoredNote): string {
  return [content, ...tags].join(" ");
}

function recency(note: StoredNote, now: Date): number {
  const ageDays = (now.getTime() - timeOfNote(note)) / dayMs;
  return Math.min(1, Math.max(0, (recentDays - ageDays) / recentDays));
}

function renderedNote({ id, type, content, tags, origin }: StoredNote): string {
  const labels = [type, ...tags, ...(origin === "project" ? [] : [origin])].join(", ");
  const [first = "", ...others] = neutraliseContent(content.trim()).split("\n");
  return [`- [${id}] (${neutraliseLine(labels)}) ${first}`, ...others.map((line) => `  ${line}`)].join("\n");
}
