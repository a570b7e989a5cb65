import { checkSkillName, maxSkillNameLength } from "../domain/knowledge/skill.js";
import { stopWords } from "../words/stop-words.js";

const maxWords = 6;

/** A name for a skill from the words that say what it is about. */
export function nameFrom(title: string): string {
  const words =
    title
      .normalize("NFKD")
      // Accents, apostrophes and the letter behind them: "résumé's" is one word.
      .replace(/\p{M}|['’](?:s|t|re|ve|ll|d|m)?\b/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const telling = words.filter((word) => !stopWords.has(word));
  let name = "";
  for (const word of (telling.length > 0 ? telling : words).slice(0, maxWords)) {
    const longer = name === "" ? word.slice(0, maxSkillNameLength) : `${name}-${word}`;
    if (longer.length > maxSkillNameLength) break;
    name = longer;
  }
  return checkSkillName(name);
}
