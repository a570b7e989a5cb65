import type { Skill } from "../domain/knowledge/skill.js";
import { isCommonWord } from "../text/tokens/common-words.js";
import { hypernymsOf } from "../words/compare/hypernyms.js";
import { looseStem } from "../words/stem.js";
import { isGenericWord, stopWords } from "../words/word-lists.js";
import { questionWords, wordsOf } from "../words/words.js";

/** A skill and its whole text, for words outside the known sections. */
export interface MatchableSkill {
  skill: Skill;
  body: string;
}

export interface SkillMatch<Candidate> {
  candidate: Candidate;
  /** Higher is better; comparable only within one result. */
  score: number;
  /** The matching words of the objective. */
  matched: string[];
}

/** The weight of a word by the place where it occurs. */
const weights = { name: 4, description: 3, steps: 1, rest: 0.5 } as const;
/** k1 and b of BM25. */
const saturation = 1.2;
const lengthShare = 0.4;
/** The factor for a prefix match or a hypernym. */
const partialShare = 0.5;
const minPrefixLength = 4;
/** The factors for a generic word, and for a common word outside the name, title and description. */
const genericShare = 0.2;
const backgroundShare = 0.4;
const genericStems: ReadonlySet<string> = new Set(
  (
    "again allow app back bad bug check code day feature find first good handle last left many month need next old one own page " +
    "people read report result return right several show somebody someone start step support system today two under user want week " +
    "wrong write year"
  )
    .split(" ")
    .map(looseStem),
);

/**
 * Ranks skills by the words, in any inflection, they share with an objective; rare words score higher. Generic words alone do not match.
 * Skills are few, so they are read on each call rather than indexed, and edits take effect at once.
 */
export function matchSkills<Candidate extends MatchableSkill>(
  candidates: readonly Candidate[],
  objective: string,
  limit: number,
): SkillMatch<Candidate>[] {
  const words = distinctWords(objective);
  const profiles = candidates.map(profileOf);
  const lengths = profiles.map(lengthOf);
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const matches = candidates.map((candidate) => ({
    candidate,
    score: 0,
    matched: [] as string[],
    isSpecific: isNamed(candidate, words),
  }));
  for (const word of words) {
    const isGeneric = isGenericWord(word) || genericStems.has(looseStem(word));
    const isCommon = isCommonWord(word) || isCommonWord(looseStem(word));
    const found = profiles.map((profile) => findIn(profile, word));
    const holders = found.filter(({ weight }) => weight > 0).length;
    if (holders === 0) continue;
    const rarity = Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5));
    for (const [index, { weight, isHead }] of found.entries()) {
      const match = matches[index];
      if (weight === 0 || match === undefined) continue;
      const length = (lengths[index] ?? 0) / Math.max(1, meanLength);
      const norm = saturation * (1 - lengthShare + lengthShare * length);
      const isBackground = isCommon && !isHead;
      const share = (isGeneric ? genericShare : 1) * (isBackground ? backgroundShare : 1);
      match.score += (share * rarity * weight * (saturation + 1)) / (weight + norm);
      match.matched.push(word);
      match.isSpecific ||= !isGeneric && !isBackground;
    }
  }
  return matches
    .filter(({ isSpecific, score }) => isSpecific && score > 0)
    .sort((one, other) => other.score - one.score || compareNames(one.candidate, other.candidate))
    .slice(0, limit)
    .map(({ candidate, score, matched }) => ({ candidate, score, matched }));
}

interface Entry {
  weight: number;
  /** Whether it occurs in the name, title or description. */
  isHead: boolean;
}

/** Words of a skill by stem. */
type Profile = ReadonlyMap<string, Entry>;

function profileOf({ skill, body }: MatchableSkill): Profile {
  const profile = new Map<string, Entry>();
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text)) {
      const key = looseStem(word);
      const known = profile.get(key);
      const isHead = known?.isHead === true || weight >= weights.description;
      profile.set(key, { weight: (known?.weight ?? 0) + weight, isHead });
    }
  };
  add(`${skill.name} ${skill.title ?? ""}`, weights.name);
  add(skill.description, weights.description);
  add(skill.steps.join("\n"), weights.steps);
  add(body, weights.rest);
  return profile;
}

const nothing: Entry = { weight: 0, isHead: false };

function lengthOf(profile: Profile): number {
  let length = 0;
  for (const { weight } of profile.values()) length += weight;
  return length;
}

/** One word per stem, without numbers, because steps are numbered, too. */
function distinctWords(objective: string): string[] {
  const words = questionWords(objective).filter((word) => !stopWords.has(word) && !/^\d+$/.test(word));
  return [...new Map(words.map((word) => [looseStem(word), word])).values()];
}

/** Whether an objective contains all words of a skill name, even generic ones. */
function isNamed({ skill }: MatchableSkill, words: readonly string[]): boolean {
  const asked = new Set(words.map(looseStem));
  return skill.name.split("-").every((word) => stopWords.has(word) || asked.has(looseStem(word)));
}

/** The entry of a word, or else the best entry of a hypernym or a longer word, at a discount. */
function findIn(profile: Profile, word: string): Entry {
  const key = looseStem(word);
  const whole = profile.get(key);
  if (whole !== undefined) return whole;
  const near = hypernymsOf(word).flatMap((kind) => profile.get(looseStem(kind)) ?? []);
  if (key.length >= minPrefixLength)
    for (const [other, entry] of profile) if (other.startsWith(key)) near.push(entry);
  const [best = nothing] = near.sort((one, other) => other.weight - one.weight);
  return { ...best, weight: best.weight * partialShare };
}

function compareNames(one: MatchableSkill, other: MatchableSkill): number {
  return one.skill.name < other.skill.name ? -1 : 1;
}
