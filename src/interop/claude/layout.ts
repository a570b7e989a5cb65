import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { findStats } from "../../files/find-stats.js";
import type { ReadOptions, Surroundings } from "../layout.js";
import { type FileSection, layoutOfSections } from "../markdown/layout-of-sections.js";
import { ruleSections } from "../markdown/rule-sections.js";
import { openSource } from "../source-folder.js";
import { memorySections } from "./memory-sections.js";
import { configFolder, findProjectMemory } from "./project-memory.js";

const ruleFiles = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"];
const rulesFolder = ".claude/rules";
const agentFolders = [".claude/agent-memory", ".claude/agent-memory-local"];

/** What Claude Code keeps about a project: its own memories, those of its agents, and the rules of its users. */
export const claudeLayout = layoutOfSections({
  name: "claude",
  find: (surroundings) => {
    const { root } = surroundings;
    const isKnown = [...ruleFiles, rulesFolder, ...agentFolders].some((path) => existsSync(join(root, path)));
    const memory = findProjectMemory(surroundings);
    return [...(memory === undefined ? [] : [memory]), ...(isKnown ? [root] : [])];
  },
  sections: readSections,
});

/** Of a project, of the user's folder with all projects, of a folder with memories, or of a single file. */
function* readSections(path: string, { surroundings }: ReadOptions): Generator<FileSection> {
  if (findStats(path)?.isFile()) yield* readFile(path);
  else if ([...ruleFiles, rulesFolder, ...agentFolders].some((name) => existsSync(join(path, name))))
    yield* readProject(path);
  else if (existsSync(join(path, "projects"))) yield* memorySections(projectMemoryIn(path, surroundings));
  else yield* memorySections(path);
}

function* readFile(path: string): Generator<FileSection> {
  const source = openSource(dirname(path));
  const isRules = /^CLAUDE(?:\.local)?\.md$/.test(basename(path)) || basename(dirname(path)) === "rules";
  if (isRules) yield* ruleSections(source, basename(path));
  else yield* memorySections(dirname(path), basename(path));
}

function* readProject(path: string): Generator<FileSection> {
  const source = openSource(path);
  for (const file of ruleFiles) if (source.has(file)) yield* ruleSections(source, file);
  for (const file of source.walk(rulesFolder))
    if (file.endsWith(".md")) yield* ruleSections(source, file, { tags: ["rule"] });
  for (const folder of agentFolders)
    for (const agent of source.folders(folder)) yield* memorySections(join(path, folder, agent));
}

function projectMemoryIn(path: string, surroundings: Surroundings): string {
  const environment = { ...surroundings.environment, CLAUDE_CONFIG_DIR: path };
  const memory = findProjectMemory({ ...surroundings, environment });
  if (memory !== undefined) return memory;
  throw new RalphError(
    "not-found",
    `${configFolder({ ...surroundings, environment })} has no memories of ${surroundings.root}`,
    {
      hint: "name the folder, such as projects/NAME/memory",
    },
  );
}
