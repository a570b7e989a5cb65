import type { Action } from "../../../domain/tasks/action.js";
import { wordSet } from "../../../text/word-set.js";
import { looseStem } from "../../../words/stem.js";
import { isGenericWord } from "../../../words/word-lists.js";
import { wordsOf } from "../../../words/words.js";
import { readOpening } from "./read-opening.js";

/** What a task of a session is about, by the words of those who work on it. */
export interface Topic {
  /** What was asked, said or done about it; read once that is needed. */
  add(texts: () => readonly string[]): void;
  /** Whether a prompt is clearly about something else; in doubt it is not. */
  isLeftBy(prompt: string): boolean;
}

/** Words of any work on software. */
const listWordsOfAnyWork = (): ReadonlySet<string> =>
  new Set(
    [
      ...wordSet(
        "test tests check checks error errors fail fails failed failing failure bug build builds write rewrite read remove " +
          "delete replace rename move show look find get let line lines function method class name value type repo branch commit " +
          "correct right wrong first last second next one two all none every like sure good bad review section paragraph sentence step part",
      ),
    ].map(looseStem),
  );
let wordsOfAnyWork: ReadonlySet<string> | undefined;
/** A prompt with fewer telling words is a remark; a long one has a word or two in common with anything. */
const bars = {
  announced: { fewest: 2, maxShared: 0.25 },
  next: { fewest: 4, maxShared: 0 },
  plain: { fewest: 4, maxShared: 0.15 },
};
/** What points back to what was asked, said or done. */
const pointingWords = wordSet(
  "it its this these those them they same again too also above other else as instead everything both here there",
);
/** Not the one of "a tool that converts files". */
const pointingThat = /^\w+ that\b|\bthat(?: (?:as|to|too|with|in|for|on|now)\b|[.,;:!?]|$)/i;
/** "The mobile app: …", of which more is said. */
const subject = /^(?:the|our|my) \w+(?: \w+){0,3}: /i;
/** What begins work; "add", "update" and the like rather go on with it. */
const beginningVerbs = wordSet(
  "write build create implement design develop migrate investigate generate draft prototype set port convert profile audit translate " +
    "localise localize introduce upgrade configure",
);
/** What any work ends with. */
const closingWords = wordSet(
  "test tests commit push pull request pr merge deploy release changelog readme docs doc documentation guide version tag ci pipeline lint " +
    "format coverage screenshot staging production branch review team summary comment comments",
);
const maxText = 20_000;
const shortest = 3;

/** Decides where a session turns to another task, from what was told so far. Most prompts are too short to begin one. */
export function followTopic(objective: string): Topic {
  const known = new Set<string>();
  let unread: (() => readonly string[])[] = [() => [objective]];
  return {
    add(texts) {
      unread.push(texts);
    },
    isLeftBy(prompt) {
      const { kind, rest } = readOpening(prompt);
      if (kind === "continuing" || (kind === "next" && !isPlainlyAnother(rest))) return false;
      const telling = tellingWords(rest).filter((word) => kind !== "next" || !closingStems().has(word));
      const { fewest, maxShared } = bars[kind];
      if (telling.length < fewest) return false;
      for (const texts of unread)
        for (const text of texts()) for (const word of tellingWords(text)) known.add(word);
      unread = [];
      return telling.filter((word) => known.has(word)).length <= telling.length * maxShared;
    },
  };
}

/** Whether a next piece of work is asked for as an objective of its own: it points to nothing that was before. */
function isPlainlyAnother(rest: string): boolean {
  const words = rest.toLowerCase().match(/[a-z]+/g) ?? [];
  if (words.some((word) => pointingWords.has(word)) || pointingThat.test(rest)) return false;
  const [verb = "", ...object] = words;
  const isObjective = beginningVerbs.has(verb) && !object.slice(0, 4).some((word) => closingWords.has(word));
  return isObjective || subject.test(rest);
}

let stems: ReadonlySet<string> | undefined;
function closingStems(): ReadonlySet<string> {
  stems ??= new Set([...closingWords].map(looseStem));
  return stems;
}

function tellingWords(text: string): string[] {
  wordsOfAnyWork ??= listWordsOfAnyWork();
  const ofAnyWork = wordsOfAnyWork;
  return [...new Set(wordsOf(text.slice(0, maxText)))].flatMap((word) => {
    if (word.length < shortest || /^\d+$/.test(word) || isGenericWord(word)) return [];
    const stem = looseStem(word);
    return ofAnyWork.has(stem) ? [] : [stem];
  });
}

/** The words of an action that say what it is about. */
export function topicOfAction({ params }: Pick<Action, "params">): string {
  return [params.command, params.file_path, params.path, params.pattern]
    .filter((value) => typeof value === "string")
    .join(" ");
}
