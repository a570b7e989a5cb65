import type { Skill } from "../domain/skill.js";
import { kindsOf } from "../search/kinds.js";
import { stem } from "../search/stem.js";
import { questionWords, wordsOf } from "../search/words.js";

/** A skill and everything its file says, for words that are in none of the fields. */
export interface MatchableSkill {
  skill: Skill;
  body: string;
}

export interface SkillMatch<Candidate> {
  candidate: Candidate;
  /** Higher is better; only comparable within one answer. */
  score: number;
  /** The words of the objective that spoke for it. */
  matched: string[];
}

/** How much a word tells by where it stands. */
const weights = { name: 4, description: 3, steps: 1, rest: 0.5 } as const;
const saturation = 1.2;
const lengthShare = 0.4;
/** What counts of a word that is only the beginning of another, or only names a kind of what was said. */
const nearShare = 0.5;
const minPrefixLength = 4;

/**
 * Ranks skills by the words that they share with an objective, rare ones first, in any inflection. Skills are few, so they
 * are read rather than indexed: what was edited a moment ago counts.
 */
export function matchSkills<Candidate extends MatchableSkill>(
  candidates: readonly Candidate[],
  objective: string,
  limit: number,
): SkillMatch<Candidate>[] {
  const profiles = candidates.map(profileOf);
  const lengths = profiles.map(lengthOf);
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const matches = candidates.map(
    (candidate): SkillMatch<Candidate> => ({ candidate, score: 0, matched: [] }),
  );
  for (const word of distinctWords(objective)) {
    const found = profiles.map((profile) => weightIn(profile, word));
    const holders = found.filter((weight) => weight > 0).length;
    if (holders === 0) continue;
    const rarity = Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5));
    for (const [index, weight] of found.entries()) {
      const match = matches[index];
      if (weight === 0 || match === undefined) continue;
      const length = (lengths[index] ?? 0) / Math.max(1, meanLength);
      const norm = saturation * (1 - lengthShare + lengthShare * length);
      match.score += (rarity * weight * (saturation + 1)) / (weight + norm);
      match.matched.push(word);
    }
  }
  return matches
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || compareNames(one.candidate, other.candidate))
    .slice(0, limit);
}

/** Stems with their weights. */
type Profile = ReadonlyMap<string, number>;

function profileOf({ skill, body }: MatchableSkill): Profile {
  const profile = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text)) {
      const key = stem(word);
      profile.set(key, (profile.get(key) ?? 0) + weight);
    }
  };
  add(`${skill.name} ${skill.title ?? ""}`, weights.name);
  add(skill.description, weights.description);
  add(skill.steps.join("\n"), weights.steps);
  add(body, weights.rest);
  return profile;
}

function lengthOf(profile: Profile): number {
  let length = 0;
  for (const weight of profile.values()) length += weight;
  return length;
}

/** Words of which no other has the same stem. */
function distinctWords(objective: string): string[] {
  return [...new Map(questionWords(objective).map((word) => [stem(word), word])).values()];
}

/** The weight of a word; of one that nowhere stands whole, that of words near to it. */
function weightIn(profile: Profile, word: string): number {
  const key = stem(word);
  const whole = profile.get(key);
  if (whole !== undefined) return whole;
  let best = 0;
  for (const kind of kindsOf(word)) best = Math.max(best, profile.get(stem(kind)) ?? 0);
  if (key.length >= minPrefixLength)
    for (const [other, weight] of profile) if (other.startsWith(key)) best = Math.max(best, weight);
  return best * nearShare;
}

function compareNames(one: MatchableSkill, other: MatchableSkill): number {
  return one.skill.name < other.skill.name ? -1 : 1;
}
