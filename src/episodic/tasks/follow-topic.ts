import type { Action } from "../../domain/tasks/action.js";
import { wordSet } from "../../text/word-set.js";
import { isGenericWord } from "../../words/generic-words.js";
import { looseStem } from "../../words/loose-stem.js";
import { wordsOf } from "../../words/words.js";

/** What a task of a session is about, by the words of those who work on it. */
export interface Topic {
  /** What was asked, said or done about it; read once that is needed. */
  add(texts: () => readonly string[]): void;
  /** Whether a prompt is clearly about something else; in doubt it is not. */
  isLeftBy(prompt: string): boolean;
}

/** Words with which somebody goes on about the same thing. */
const continuingWords = wordSet(
  "yes no ok okay sure thank thanks please and also but so now then next again continue keep try retry still instead actually wait " +
    "stop undo revert it that this these those why what how where which same look looks commit push run use never always remember you",
);
/** The first words of phrases that say the same; compiling one pattern of all words takes as long as the rest of a prompt's work. */
const phraseWords = wordSet("go don do from we fix");
const continuingPhrase =
  /^(?:go on|don.t|do not|from now on|we (?:use|prefer|only|never|always|don.t|do not)|fix (?:it|that|this))\b/i;

function goesOn(prompt: string): boolean {
  const said = prompt.trim();
  const first = (/^\w+/.exec(said)?.[0] ?? "").toLowerCase();
  return continuingWords.has(first) || (phraseWords.has(first) && continuingPhrase.test(said));
}

/** Words of any work on software. */
const listWordsOfAnyWork = (): ReadonlySet<string> =>
  new Set(
    [
      ...wordSet(
        "test tests check checks error errors fail fails failed failing failure bug build builds write rewrite read remove " +
          "delete replace rename move show look find get let line lines function method class name value type repo branch commit " +
          "correct right wrong first last second next one two all none every like sure good bad review",
      ),
    ].map(looseStem),
  );
let wordsOfAnyWork: ReadonlySet<string> | undefined;
/** A prompt with fewer telling words is a remark. */
const minWords = 4;
/** A long prompt has a word or two in common with anything. */
const maxShared = 0.15;
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
      if (goesOn(prompt)) return false;
      const telling = tellingWords(prompt);
      if (telling.length < minWords) return false;
      for (const texts of unread)
        for (const text of texts()) for (const word of tellingWords(text)) known.add(word);
      unread = [];
      return telling.filter((word) => known.has(word)).length <= telling.length * maxShared;
    },
  };
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
