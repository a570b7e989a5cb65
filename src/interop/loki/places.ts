import { existsSync } from "node:fs";
import { join } from "node:path";

export const folders = {
  episodes: "episodic",
  skills: "skills",
  ledgers: "ledgers",
  handoffs: "handoffs",
  learnings: "learnings",
} as const;

export const semanticFiles = {
  patterns: "semantic/patterns.json",
  antiPatterns: "semantic/anti-patterns.json",
  facts: "semantic/facts.json",
  links: "semantic/links.json",
} as const;

export const episodeIndex = `${folders.episodes}/index.json`;

/** Marks an index that Ralph wrote, and may overwrite. */
export const indexAuthor = "ralph";

/** The JSON style of the tool. */
export const style = { isAscii: true, endsLine: false };

/** Whether a folder is, or was, a memory of loki. */
export function hasMemory(folder: string): boolean {
  return [...Object.values(folders), "semantic", "index.json", "timeline.json"].some((name) =>
    existsSync(join(folder, name)),
  );
}
