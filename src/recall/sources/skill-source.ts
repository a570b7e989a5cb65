import { rounded } from "../../domain/rounded.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import type { Candidate, CandidateSource } from "../candidate.js";
import { asWritten, saysShared } from "../recall-question.js";
import { shownLength, skills as weights } from "../weights.js";

/** A skill that matches words of an objective. */
interface ApplicableSkill {
  name: string;
  description: string;
  /** Its file, relative to the project. */
  path: string;
  score: number;
  matched: readonly string[];
}

type MatchSkills = (objective: string, limit: number) => Promise<readonly ApplicableSkill[]>;

/** Skills whose description shares words with the objective. */
export function skillSource(matchSkills: MatchSkills): CandidateSource {
  return {
    kind: "skill",
    find: async ({ objective }) => skillCandidates(await matchSkills(objective, weights.matched), objective),
  };
}

function skillCandidates(skills: readonly ApplicableSkill[], objective: string): Candidate[] {
  return skills
    .filter(({ matched }) => matched.length >= weights.leastWords)
    .slice(0, weights.shown)
    .map(({ name, description, path, score, matched }) => {
      const text = `- [skill: ${name}] ${neutraliseLine(description, shownLength.skill)} (read ${path})`;
      const words = asWritten(matched, objective);
      const share = score / (score + weights.halfScore);
      return {
        id: `skill: ${name}`,
        kind: "skill",
        section: "skills" as const,
        statement: description,
        text,
        score: rounded(share),
        parts: { [`matched ${words.join(" ")}`]: rounded(share) },
        why: saysShared(words),
      };
    });
}
