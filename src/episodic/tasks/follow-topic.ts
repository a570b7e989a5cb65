import type { Action } from "../../domain/tasks/action.js";
import { wordSet } from "../../text/word-set.js";
import { looseStem } from "../../words/stem.js";
import { isGenericWord } from "../../words/word-lists.js";
import { wordsOf } from "../../words/words.js";

/** The topic of a session's task, in the words of those who work on it. */
export interface Topic {
  /** Adds prompts, messages or actions; they are read only when a prompt is compared. */
  add(texts: () => readonly string[]): void;
  /** Whether a prompt is clearly about something else; false in doubt. */
  isLeftBy(prompt: string): boolean;
}

/** Words that occur in any software work. */
const wordsOfAnyWork = new Set(
  [
    ...wordSet(
      "test tests check checks error errors fail fails failed failing failure bug build builds write rewrite read remove " +
        "delete replace rename move show look find get let line lines function method class name value type repo branch commit " +
        "correct right wrong first last second next one two all none every like sure good bad review section paragraph sentence step part",
    ),
  ].map(looseStem),
);
/** A prompt with fewer distinctive words is a remark; a long one shares a word or two with anything. */
const bars = {
  announced: { fewest: 2, maxShared: 0.25 },
  next: { fewest: 4, maxShared: 0 },
  plain: { fewest: 4, maxShared: 0.15 },
};
/** Words that refer back to what was asked, said or done. */
const pointingWords = wordSet(
  "it its this these those them they same again too also above other else as instead everything both here there",
);
/** "That" as a reference, unlike in "a tool that converts files". */
const pointingThat = /^\w+ that\b|\bthat(?: (?:as|to|too|with|in|for|on|now)\b|[.,;:!?]|$)/i;
/** "The mobile app: …", followed by what it is about. */
const subject = /^(?:the|our|my) \w+(?: \w+){0,3}: /i;
/** Verbs that begin work; "add", "update" and the like tend to continue it. */
const beginningVerbs = wordSet(
  "write build create implement design develop migrate investigate generate draft prototype set port convert profile audit translate " +
    "localise localize introduce upgrade configure",
);
/** Words that end any work. */
const closingWords = wordSet(
  "test tests commit push pull request pr merge deploy release changelog readme docs doc documentation guide version tag ci pipeline lint " +
    "format coverage screenshot staging production branch review team summary comment comments",
);
const closingStems = new Set([...closingWords].map(looseStem));
const maxText = 20_000;
const shortest = 3;

/** Decides where a session turns to another task. Most prompts are too short to begin one. */
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
      const words = distinctiveWords(rest).filter((word) => kind !== "next" || !closingStems.has(word));
      const { fewest, maxShared } = bars[kind];
      if (words.length < fewest) return false;
      for (const texts of unread)
        for (const text of texts()) for (const word of distinctiveWords(text)) known.add(word);
      unread = [];
      return words.filter((word) => known.has(word)).length <= words.length * maxShared;
    },
  };
}

/** Whether a prompt asks for the next piece of work as an objective of its own, without references to earlier work. */
function isPlainlyAnother(rest: string): boolean {
  const words = rest.toLowerCase().match(/[a-z]+/g) ?? [];
  if (words.some((word) => pointingWords.has(word)) || pointingThat.test(rest)) return false;
  const [verb = "", ...object] = words;
  const isObjective = beginningVerbs.has(verb) && !object.slice(0, 4).some((word) => closingWords.has(word));
  return isObjective || subject.test(rest);
}

function distinctiveWords(text: string): string[] {
  return [...new Set(wordsOf(text.slice(0, maxText)))].flatMap((word) => {
    if (word.length < shortest || /^\d+$/.test(word) || isGenericWord(word)) return [];
    const stem = looseStem(word);
    return wordsOfAnyWork.has(stem) ? [] : [stem];
  });
}

/** The words of an action that identify its topic. */
export function topicOfAction({ params }: Pick<Action, "params">): string {
  return [params.command, params.file_path, params.path, params.pattern]
    .filter((value) => typeof value === "string")
    .join(" ");
}

/** How a prompt begins, and the rest. */
interface Opening {
  /**
   * `announced`: announces another topic. `next`: names the next piece of work. `continuing`: continues the current one. `plain`: neither.
   */
  kind: "announced" | "next" | "continuing" | "plain";
  rest: string;
}

/** Words that may precede any request. */
const courtesies = wordSet(
  "ok okay great thanks thank perfect nice cool good excellent awesome alright right well done please hi hello so and",
);
/** Words that continue the same topic. */
const continuingWords = wordSet(
  "yes no ok okay sure thank thanks and also but so again continue keep try retry still instead actually wait stop undo revert it " +
    "that this these those why what how where which same look looks commit push run use never always remember you switch another one",
);
/** The first words of such phrases; compiling one pattern of all words would double the work for a prompt. */
const phraseWords = wordSet("go don do from we fix let different");
const continuingPhrase =
  /^(?:go on|don.t|do not|from now on|we (?:use|prefer|only|never|always|don.t|do not)|fix (?:it|that|this)|let.?s|let us|different (?:idea|approach|way))\b/i;

/** The only words in the part of a prompt that announces something. */
const announcingWords = wordSet(
  "ok okay great thanks thank now next then so and please let lets let's us s i we you want need have here is here's this that that's it " +
    "for of with to on at about do start begin work switch switching change changing move moving go turn forget a an the my not " +
    "gears gear topic topics subject subjects context task ticket objective story project job issue feature note above " +
    "new another other different separate unrelated related something else entirely completely totally altogether very quite",
);
const announcement =
  /\b(?:unrelated|not related|(?:completely|entirely|totally|very|something) different|else (?:entirely|completely|altogether|now)|(?:on|to|do) something (?:else|new)|(?:new|next|another|different|separate|other) (?:task|topic|subject|objective|ticket|story|project|job)|next issue|(?:different|another|unrelated) note|(?:switch|switching|change|changing) (?:gears|topics?|subjects?|the (?:topic|subject)|context)|forget (?:about )?(?:that|this|it))\b/i;
/** An announcement is short, and is at the start or follows a remark about finished work. */
const maxAnnouncing = 9;
const announcingParts = 3;

const nextPiece =
  /^(?:(?:now|next|then)\b(?: up)?[,:]?\s+|(?:let.?s|let us|we) (?:now )?(?:switch|turn|move on) to\s+|moving on to\s+)/i;
const wish =
  /^(?:(?:i|we) (?:want|need|would like) (?:you )?to|i.d like you to|(?:can|could) you|let.?s|please)\s+/i;

/** Splits a prompt into its relation to earlier work and its content. */
function readOpening(prompt: string): Opening {
  const said = withoutCourtesies(prompt.trim());
  const announced = afterAnnouncement(said);
  if (announced !== undefined) return { kind: "announced", rest: announced };
  const next = nextPiece.exec(said);
  if (next !== null) return { kind: "next", rest: said.slice(next[0].length).replace(wish, "") };
  const isContinuing = goesOn(prompt.trim()) || goesOn(said);
  return { kind: isContinuing ? "continuing" : "plain", rest: said };
}

/** Drops sentences such as "Ok, great." and words such as "please". */
function withoutCourtesies(prompt: string): string {
  let said = prompt;
  for (;;) {
    const [whole = "", word = ""] =
      /^([a-z]+)(?:[\s,.!:]+(?:you|a lot|so much|with that)\b)?[\s,.!:]+/i.exec(said) ?? [];
    if (!courtesies.has(word.toLowerCase())) return said;
    said = said.slice(whole.length);
  }
}

/** What follows the announcement of another topic; undefined without one. */
function afterAnnouncement(said: string): string | undefined {
  const separators = /[:.!?,;\n]+\s+|\s+[-–—]+\s+/g;
  let from = 0;
  for (let part = 0; part < announcingParts; part += 1) {
    const end = separators.exec(said);
    if (end === null) return undefined;
    if (isAnnouncement(said.slice(from, end.index))) return said.slice(separators.lastIndex);
    from = separators.lastIndex;
  }
  return undefined;
}

function isAnnouncement(part: string): boolean {
  const words = part
    .toLowerCase()
    .replaceAll("’", "'")
    .split(/[^a-z']+/)
    .filter((word) => word !== "");
  return (
    words.length <= maxAnnouncing &&
    words.every((word) => announcingWords.has(word)) &&
    announcement.test(part)
  );
}

function goesOn(said: string): boolean {
  const first = (/^\w+/.exec(said)?.[0] ?? "").toLowerCase();
  return continuingWords.has(first) || (phraseWords.has(first) && continuingPhrase.test(said));
}
