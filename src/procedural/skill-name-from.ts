import { checkSkillName, maxSkillNameLength } from "../domain/knowledge/skill.js";
import { stopWords } from "../words/word-lists.js";

const maxWords = 6;

/** A skill name from the significant words of a title. */
export function skillNameFrom(title: string): string {
  const words =
    title
      .normalize("NFKD")
      // Accents and contractions: "résumé's" is one word.
      .replace(/\p{M}|['’](?:s|t|re|ve|ll|d|m)?\b/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const significant = words.filter((word) => !stopWords.has(word));
  let name = "";
  for (const word of (significant.length > 0 ? significant : words).slice(0, maxWords)) {
    const longer = name === "" ? word.slice(0, maxSkillNameLength) : `${name}-${word}`;
    if (longer.length > maxSkillNameLength) break;
    name = longer;
  }
  return checkSkillName(name);
}
