import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Every name below a project that Ralph opens, lists, writes or deletes, with the names that this one's files happen to have. */
export function plantedPaths(project: string): string[] {
  const only = (folder: string, pattern: RegExp): string => {
    const found = readdirSync(join(project, folder)).find((name) => pattern.test(name));
    if (found === undefined) throw new Error(`nothing like ${pattern} in ${folder}`);
    return join(folder, found);
  };
  const backup = only(".ralph/backups", /^memory-.*\.db$/);
  const session = only(".ralph/sessions", /^claude-.*\.json$/);
  return [
    ".ralph",
    ".ralph/.gitignore",
    ".ralph/memory.db",
    ".ralph/memory.db-journal",
    ".ralph/memory.db-wal",
    ".ralph/memory.db-shm",
    ".ralph/memory.db.rescued-1",
    ".ralph/memory.db.rescued-1-journal",
    ".ralph/memory.db.damaged-1",
    ".ralph/backups",
    ".ralph/backups/.gitignore",
    backup,
    `${backup}-journal`,
    `${backup}-wal`,
    ".ralph/backups/learnings-2026-01-01T00-00-00-000Z.json",
    ".ralph/sessions",
    session,
    `${session}l`,
    ".ralph/sessions/claude-00000000000000.json",
    ".ralph/sessions/claude-00000000000000.jsonl",
    ".ralph/previous",
    only(".ralph/previous", /memories\.md$/),
    ".ralph/ralph.log",
    ".ralph/ralph.log.1",
    ".ralph/agent",
    ".ralph/.git",
    ".agent",
    ".agent/memories.md",
    ".agent/CONTINUITY.md",
    ".agent/skills",
    ".agent/skills/tidy",
    ".agent/skills/tidy/SKILL.md",
    ".agent/tasks.jsonl",
    "ralph.yml",
    ".gitattributes",
    ".git",
    ".git/HEAD",
    ".git/config",
    ".git/config.worktree",
    ".git/index",
    ".git/sharedindex.0000",
    ".git/commondir",
    ".git/objects",
    ".git/refs",
    ".git/info",
    ".git/worktrees",
    ".claude",
    ".claude/settings.json",
    ".claude/skills",
    ".agents/skills",
    ".mcp.json",
    "AGENTS.md",
    "CLAUDE.md",
    "memory.jsonl",
    ".beads",
    ".loki/memory",
    ".aiwg/knowledge/ralph-learnings.json",
  ];
}
