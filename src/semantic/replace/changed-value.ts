import { wordSet } from "../../text/word-set.js";
import { looseStem } from "../../words/stem.js";

/** Two clauses that differ in one run of words. */
interface Change {
  before: ClauseWord[];
  oldValue: ClauseWord[];
  newValue: ClauseWord[];
  behind: ClauseWord[];
}

const maxValueWords = 6;

const verbs = wordSet(
  "is are be = uses use using run runs set has have needs need requires require listens listen expects supports targets " +
    "means defaults default takes allows keep keeps stays deploy deploys pin pins pinned",
);
const linking = wordSet("is are = be");
const pasts = wordSet("was were took ran found made had got went wrote saw did broke cost cut won lost");
/** A number after one of these is an identifier, not a measure. */
const designators = wordSet(
  "step test case issue bug pr task ticket chapter section item part phase line page tier level attempt iteration day week " +
    "error code exit status http worker node-id shard option rule figure table milestone sprint commit build release",
);
const units = wordSet(
  "time times second seconds ms minute minutes hour hours day days mb gb kb percent % retries attempts",
);
const attributes = wordSet(
  "port version url branch timeout database host owner name path command limit size runtime manager framework library language " +
    "region theme default format encoding license maintainer editor linter formatter bundler runner provider registry engine " +
    "driver prefix interval threshold budget email address ttl level locale currency",
);
const fixed = wordSet("default current main preferred official primary minimum maximum");
/** "The city of …": something has only one of these. */
const kinds = wordSet(
  "citizen city country continent sport religion position language state region town genre role port branch name",
);
/** "The type of database that …": the value need not be a name. */
const classes = wordSet("type kind sort");
/** Relations that something has with one other thing at a time. */
const exclusive: ReadonlySet<string> = new Set([
  "hosted on",
  "located in",
  "owned by",
  "maintained by",
  "employed by",
  "married to",
]);
const switches: readonly (readonly [string, string])[] = [
  ["true", "false"],
  ["on", "off"],
  ["enabled", "disabled"],
  ["yes", "no"],
];
const opposites: readonly (readonly [string, string])[] = [
  ["enable", "disable"],
  ["before", "after"],
  ["allow", "forbid"],
  ["allow", "deny"],
  ["include", "exclude"],
  ["required", "optional"],
  ["add", "remove"],
  ["commit", "ignore"],
];

/** How a newer clause changes the one value in which it differs from an older one; undefined unless that is clear. */
export function changedValue(older: Clause, newer: Clause): "supersedes" | "contradicts" | undefined {
  const change = findChange(older.words, newer.words);
  if (change === undefined) return undefined;
  if (isPair(change, opposites)) return newer.isNew ? "supersedes" : "contradicts";
  if (change.before.length === 0) return undefined;
  const isDenied = newer.denied.length > 0 && keysOf(newer.denied) === keysOf(change.oldValue);
  const isChanged =
    isDenied ||
    isNewNumber(change) ||
    isAssignment(change) ||
    isSwitched(change) ||
    isAttribute(change, newer.isNew) ||
    isOnlyOne(change) ||
    isExclusive(change) ||
    (newer.isNew && !older.isNew && hasVerb(change.before) && areNames(change));
  return isChanged ? "supersedes" : undefined;
}

function findChange(older: readonly ClauseWord[], newer: readonly ClauseWord[]): Change | undefined {
  let start = 0;
  while (start < older.length && start < newer.length && older[start]?.key === newer[start]?.key) start += 1;
  let end = 0;
  const shortest = Math.min(older.length, newer.length) - start;
  while (end < shortest && older.at(-1 - end)?.key === newer.at(-1 - end)?.key) end += 1;
  const oldValue = older.slice(start, older.length - end);
  const newValue = newer.slice(start, newer.length - end);
  const isValue = (words: readonly ClauseWord[]) =>
    words.length > 0 && words.length <= maxValueWords && !words.some((word) => linking.has(lower(word)));
  if (!isValue(oldValue) || !isValue(newValue)) return undefined;
  return { before: older.slice(0, start), oldValue, newValue, behind: older.slice(older.length - end) };
}

/** "We use PostgreSQL 14" → "We use PostgreSQL 16"; not "Step 2 …", and not past events. */
function isNewNumber({ before, oldValue, newValue, behind }: Change): boolean {
  const [one, other] = [literal(oldValue), literal(newValue)];
  if (one === undefined || other === undefined || !isNumber(one) || !isNumber(other)) return false;
  if (designators.has(lower(before.at(-1))) || isEvent(before)) return false;
  return hasVerb(before) || units.has(lower(behind[0]));
}

/** "Set LOG_LEVEL to debug" → "Set LOG_LEVEL to info". */
function isAssignment({ before, oldValue, newValue }: Change): boolean {
  return (
    lower(before[0]) === "set" &&
    lower(before.at(-1)) === "to" &&
    literal(oldValue) !== undefined &&
    literal(newValue) !== undefined
  );
}

function isSwitched(change: Change): boolean {
  return isPair(change, switches) && hasVerb(change.before);
}

/** "The default branch is main" → "… is develop"; "The capital of X is Y" → "… is Z". */
function isAttribute(given: Change, isNew: boolean): boolean {
  const change = withWholeNames(given);
  const { before, oldValue, newValue } = change;
  if (!linking.has(lower(before.at(-1))) || [...oldValue, ...newValue].some(isDescriptive)) return false;
  const subject = before.slice(0, -1).map(lower);
  const isAttributeNoun = attributes.has(subject.at(-1) ?? "");
  if (isAttributeNoun && (isNew || subject.some((word) => fixed.has(word)))) return true;
  const isOfOne = lower(before.at(-1)) === "is" && (subject.includes("of") || subject.includes("that"));
  return (isAttributeNoun || isOfOne) && (areNames(change) || classes.has(subject[0] ?? ""));
}

/** "… in the city of Paris" → "… in the city of Rome". */
function isOnlyOne(change: Change): boolean {
  const { before, behind } = withWholeNames(change);
  return behind.length === 0 && lower(before.at(-1)) === "of" && kinds.has(lower(before.at(-2)));
}

/** "… is hosted on Heroku" → "… is hosted on Render". */
function isExclusive(given: Change): boolean {
  const change = withWholeNames(given);
  const [link, relation, preposition] = change.before.slice(-3).map(lower);
  return (
    linking.has(link ?? "") &&
    exclusive.has(`${relation} ${preposition}`) &&
    change.behind.length === 0 &&
    areNames(change)
  );
}

/** Extends both values to the left by the capitalised words that they share, such as a first name. */
function withWholeNames({ before, oldValue, newValue, behind }: Change): Change {
  const start = before.findLastIndex(({ written }) => !/^[A-Z]/.test(written)) + 1;
  const shared = before.slice(start);
  return {
    before: before.slice(0, start),
    oldValue: [...shared, ...oldValue],
    newValue: [...shared, ...newValue],
    behind,
  };
}

function hasVerb(words: readonly ClauseWord[]): boolean {
  return words.some((word) => verbs.has(lower(word)));
}

/** A past event, which a later event does not undo. */
function isEvent(before: readonly ClauseWord[]): boolean {
  const hasPast = before.some((word) => pasts.has(lower(word)));
  return hasPast || /(?:ed)$/.test(lower(before[0]));
}

/** Both values look like names, versions or paths. */
function areNames({ oldValue, newValue }: Change): boolean {
  const isName = (words: readonly ClauseWord[]) =>
    words.length <= maxValueWords &&
    words.some(({ written, isQuoted }) => isQuoted || /[A-Z0-9./_@:-]/.test(written));
  return isName(oldValue) && isName(newValue);
}

function isDescriptive(word: ClauseWord): boolean {
  return (
    /^[a-z]+(?:ed|ing|able|ible|ful|ous|less|ly)$/.test(word.written) ||
    /^(?:not|never|no|too|very|in|on|at|for|with|by|when|if|only|used|required)$/.test(word.written)
  );
}

function isPair({ oldValue, newValue }: Change, pairs: readonly (readonly [string, string])[]): boolean {
  const [one, other] = [literal(oldValue)?.toLowerCase(), literal(newValue)?.toLowerCase()];
  return pairs.some(([a, b]) => (one === a && other === b) || (one === b && other === a));
}

function literal(words: readonly ClauseWord[]): string | undefined {
  return words.length === 1 ? words[0]?.written : undefined;
}

function isNumber(text: string): boolean {
  return /^[v~^<>=$]*\d+(?:[.,:_-]\d+)*(?:ms|s|m|h|k|kb|mb|gb|px|%|x)?$/i.test(text);
}

function lower(word: ClauseWord | undefined): string {
  return word?.written.toLowerCase() ?? "";
}

function keysOf(words: readonly ClauseWord[]): string {
  return words.map(({ key }) => key).join(" ");
}

/** One word of a clause, as written and as a key for comparison. */
interface ClauseWord {
  written: string;
  key: string;
  /** In quotation marks or backticks, so it counts as a name. */
  isQuoted: boolean;
}

/** One clause of a statement, without filler words. */
export interface Clause {
  words: ClauseWord[];
  /** Says that something holds from now on: "now", "from now on", "these days". */
  isNew: boolean;
  /** What it denies: the words after ", not" or "instead of" at its end. */
  denied: ClauseWord[];
}

const newness = /\b(?:from now on|as of now|now|currently|these days|nowadays|since then)\b,?/i;
const denialAtEnd = /,? (?:not|instead of|rather than|and not|no longer) ([^,;]+?)(?: any ?more)?[.!]?$/i;
const dropped: ReadonlySet<string> = new Set(
  "a an the we i you our your my please just actually still already always also it's".split(" "),
);

/** Splits a text into clauses at sentence ends, semicolons, dashes and "but". */
export function clausesOf(text: string): Clause[] {
  return text
    .replace(/\s+/g, " ")
    .split(/(?<=\w\w["'`)\]]?[.!?])\s|;\s*|\s[–—-]\s|,? but |, (?:and )?(?=now\b)/i)
    .map(parseClause)
    .filter(({ words }) => words.length > 0);
}

function parseClause(text: string): Clause {
  const plain = text.replace(newness, " ").replace(/\s+/g, " ").trim();
  const denied = denialAtEnd.exec(plain)?.[1] ?? "";
  return {
    words: wordsIn(denied === "" ? plain : plain.replace(denialAtEnd, "")),
    isNew: newness.test(text),
    denied: wordsIn(denied),
  };
}

/** Strips punctuation around words, not inside them: `fly.io`, `18.10`, `src/index.ts`. */
function wordsIn(text: string): ClauseWord[] {
  return text.split(" ").flatMap((token) => {
    const written = token.replace(/^["'`(*]+|["'`),.;:!?*]+$/g, "");
    const word = written.toLowerCase();
    if (word === "" || dropped.has(word)) return [];
    return [{ written, key: looseStem(word), isQuoted: /["'`]/.test(token) }];
  });
}
