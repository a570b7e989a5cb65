import { dayMs } from "../../domain/clock.js";
import type { StoredNote } from "../../domain/knowledge/note.js";
import { timeOfNote } from "../../domain/knowledge/note-id.js";
import { neutraliseContent, neutraliseLine } from "../../text/fence/fence.js";
import type { Candidate } from "../candidate.js";
import { judgeRanking } from "../judge-ranking.js";
import type { RecallQuestion } from "../recall-question.js";
import { scoreOf } from "../score-candidate.js";

/** What a person or agent took the trouble to write down is worth this much, whatever is asked. */
const priorOfNote = 0.6;
const recentDays = 90;
const recencyShare = 0.1;

/** Notes as they were found, best first in each answer, then others that may fill what room is left. */
export function noteCandidates(
  answers: readonly (readonly StoredNote[])[],
  others: readonly StoredNote[],
  question: RecallQuestion,
  lifts: ReadonlyMap<string, number>,
  isByMeaning = false,
): Candidate[] {
  const relevances = new Map<StoredNote, number>();
  for (const answer of answers) {
    for (const { item, relevance } of judgeRanking(question.asked, answer, wholeText, isByMeaning))
      relevances.set(item, Math.max(relevances.get(item) ?? 0, relevance));
  }
  const known = new Map([...relevances.keys()].map((note) => [note.id, note]));
  const all = [...known.values(), ...others.filter(({ id }) => !known.has(id))];
  return all
    .filter(({ id }) => (lifts.get(id) ?? 0) >= 0)
    .map((note) => {
      const { id, content } = note;
      const text = renderedNote(note);
      return {
        id,
        kind: "note",
        section: "notes" as const,
        statement: content,
        text,
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
