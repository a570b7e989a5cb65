import { checkSkillName, maxSkillName } from "../domain/skill.js";
import { stopWords } from "../search/stop-words.js";

const maxWords = 6;

/** A name for a skill from the words that say what it is about. */
export function nameFrom(title: string): string {
  const words =
    title
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const telling = words.filter((word) => !stopWords.has(word));
  let name = "";
  for (const word of (telling.length > 0 ? telling : words).slice(0, maxWords)) {
    const longer = name === "" ? word : `${name}-${word}`;
    if (longer.length > maxSkillName) break;
    name = longer;
  }
  return checkSkillName(name);
}
