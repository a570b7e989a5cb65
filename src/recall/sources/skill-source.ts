import { neutraliseLine } from "../../text/fence/fence.js";
import type { Candidate } from "../candidate.js";
import type { CandidateSource } from "../candidate-source.js";

/** A skill that was found by the words of an objective. */
export interface ApplicableSkill {
  name: string;
  description: string;
  /** Its file, from the project's folder. */
  path: string;
  score: number;
  matched: readonly string[];
}

/** A skill that shares only one word with an objective is there by chance. */
const leastWords = 2;
const shown = 3;
const halfScore = 4;
const maxLength = 300;

/** How many are matched before chance matches are dropped. */
const matchedSkills = 5;

export type MatchSkills = (objective: string, limit: number) => Promise<readonly ApplicableSkill[]>;

/** Skills whose description shares words with the objective. */
export function skillSource(matchSkills: MatchSkills): CandidateSource {
  return {
    kind: "skill",
    find: async ({ objective }) => skillCandidates(await matchSkills(objective, matchedSkills)),
  };
}

function skillCandidates(skills: readonly ApplicableSkill[]): Candidate[] {
  return skills
    .filter(({ matched }) => matched.length >= leastWords)
    .slice(0, shown)
    .map(({ name, description, path, score, matched }) => {
      const text = `- [skill: ${name}] ${neutraliseLine(description, maxLength)} (read ${path})`;
      const share = score / (score + halfScore);
      return {
        id: `skill: ${name}`,
        kind: "skill",
        section: "skills" as const,
        statement: description,
        text,
        score: Math.round(share * 1000) / 1000,
        parts: { [`matched ${matched.join(" ")}`]: Math.round(share * 1000) / 1000 },
      };
    });
}
