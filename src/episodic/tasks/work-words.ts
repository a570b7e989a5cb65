import { type Action, commandOf, isByRalph } from "../../domain/tasks/action.js";
import { programsOf } from "../../domain/tasks/command-kind.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { Repositories } from "../../store/store.js";
import { stopWords } from "../../words/word-lists.js";
import { wordsOf } from "../../words/words.js";

const readActions = 200;
/** Attempts that are read at once: most tasks have no more. */
const readTogether = 4;
const readLength = 500;
const mostProgramWords = 40;
const mostReasonWords = 60;

/** A few words of what the attempts at a task ran, and why: the programs and scripts, and the reasons that were given. */
export async function workWords(tx: Repositories, attempts: readonly StoredAttempt[]): Promise<string> {
  const programs = new Set<string>();
  const reasons = new Set<string>();
  const newest = attempts.toReversed();
  const isEnough = () => programs.size >= mostProgramWords && reasons.size >= mostReasonWords;
  for (let at = 0; at < newest.length && !isEnough(); at += readTogether) {
    const work = await Promise.all(
      newest.slice(at, at + readTogether).map((attempt) => lastWork(tx, attempt)),
    );
    for (const action of work.flat()) {
      for (const program of programsOf(commandOf(action) ?? ""))
        addWords(programs, program, mostProgramWords);
      addWords(reasons, action.reasoning ?? "", mostReasonWords);
    }
  }
  return [...new Set([...programs, ...reasons])].join(" ");
}

type Work = Pick<Action, "params" | "reasoning">;

async function lastWork(tx: Repositories, attempt: StoredAttempt): Promise<Work[]> {
  const work =
    attempt.actions_summary === undefined
      ? await tx.actions.listLastWork(attempt.key, readActions)
      : await packedWork(tx, attempt);
  return work.filter((action) => !isByRalph(action));
}

async function packedWork(tx: Repositories, attempt: StoredAttempt): Promise<Work[]> {
  const { listPackedActions } = await import("../history/packed-actions.js");
  return (await listPackedActions(tx, attempt)).toReversed().slice(0, readActions);
}

function addWords(known: Set<string>, text: string, most: number): void {
  for (const word of wordsOf(text.slice(0, readLength))) {
    if (known.size >= most) return;
    if (!stopWords.has(word)) known.add(word);
  }
}
