import { clipAtWord } from "../../text/clip-at-word.js";
import { wordSet } from "../../text/word-set.js";
import { looseStem } from "../../words/stem.js";
import { stopWords } from "../../words/word-lists.js";
import { wordsOf } from "../../words/words.js";

const maxLength = 160;

/** Shortens a text to one line, or to its first sentence; undefined when it is too short to mean anything. */
export function clipStatement(text: string): string | undefined {
  const line = text.replace(/\s+/g, " ").trim();
  // Scripts without spaces need fewer characters.
  if (line.length <= (/[\u3000-\uffff]/.test(line) ? 2 : 10)) return undefined;
  if (line.length <= maxLength) return line;
  const sentence = /^.{20,}?[.!?](?=\s)/.exec(line)?.[0] ?? line;
  return clipAtWord(sentence, maxLength);
}

/** Words about how one works, which are true of any project. */
const process = new Set(
  [
    ...wordSet(
      "read look follow keep run try check start write help helped step test failure failing fail code existing structure similar " +
        "neighbouring page file module function change careful carefully first again understand reproduce minimal incremental small " +
        "frequent before after work worked fix fixed problem issue bug error way approach thing part well good better best simple " +
        "quickly slowly early often always task make made use used take took see saw think find found need time everything example " +
        "pattern refactor review debug debugging search right wrong done result output input message line original root cause " +
        "compare pass passing stable commit neighbour end diff traceback log docs commit branch keep kept patience calm focus question colleague hour day minute slow slowly",
    ),
  ].map(looseStem),
);

/** Code, a path, a setting, a version, a name in capitals or in quotation marks. */
const technical =
  /`[^`]+`|"[^"]{3,}"|\b\w+\(|[\w-]+[/\\][\w-]|\w\.[a-z]{1,5}\b(?!\.\s)|--?[a-z][\w-]{2,}(?==|\s|$)|\b\w+[_@=]\w+|\b[a-z]+[A-Z]\w*|\b[A-Z]{2,}\d*\b|\b[A-Za-z]+ ?v?\d+(?:\.\d+)*\b|\b\d+ ?(?:ms|s|MB|GB|kB|%)\b|\$\w+/;
const narrating =
  /^(?:i |we )?(?:then |also |just |simply )?(?:[a-z]+ed|kept|ran|wrote|took|made|did|went|found|began|thought|got|saw|chose|left|built|split|drew|held)\b/i;

/** Tells how an attempt went, whatever it names. */
const recounting =
  /^(?:in (?:this|that|the|my) (?:\w+ )?(?:attempt|trial|task|environment|run|try),? )?(?:(?:i|we) (?:was|were|got|am|are) (?:\w+ )?(?:stuck|unsuccessful|unable|lost|confused|wrong)|(?:my|our) (?:\w+ )?(?:plan|goal|approach|idea|strategy|attempt) (?:was|failed))\b/i;

/** Whether a statement says nothing that somebody new to the project would not do anyway. */
export function isVague(statement: string): boolean {
  if (recounting.test(statement.trim())) return true;
  if (technical.test(statement)) return false;
  if (narrating.test(statement.trim())) return true;
  const said = wordsOf(statement).filter(
    (word) => word.length > 2 && !stopWords.has(word) && !process.has(looseStem(word)),
  );
  return new Set(said).size < 2;
}
