import { execFile } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openMemory } from "../../memory/open-memory.js";
import { defineCommand } from "../command.js";
import { renderJson } from "../output/json.js";
import { oneLine } from "../output/printable.js";

export const demoCommand = defineCommand({
  summary: "see Ralph at work in a scratch repository",
  arguments: [],
  options: { keep: { kind: "flag", summary: "keep the scratch repository" } },
  formats: ["table", "json"],
  examples: ["ralph demo", "ralph demo --keep"],
  async run({ options, format, terminal }) {
    const folder = mkdtempSync(join(tmpdir(), "ralph-demo-"));
    const steps: { step: string; result: string }[] = [];
    const tell = (step: string, result: string) => {
      steps.push({ step, result });
      if (format === "table") terminal.out(`${steps.length}. ${step}\n${indent(result)}\n\n`);
    };
    try {
      await play(folder, tell);
      if (format === "json") terminal.out(renderJson(steps));
    } finally {
      if (options.keep) terminal.talk(`The repository is in ${folder}\n`);
      else rmSync(folder, { recursive: true, force: true });
    }
    return 0;
  },
});

async function play(folder: string, tell: (step: string, result: string) => void): Promise<void> {
  const hasGit = await promisify(execFile)("git", ["init", "--quiet", folder]).then(
    () => true,
    () => false,
  );
  tell("Made a scratch repository.", hasGit ? folder : `${folder} (without git, which is not installed)`);
  const memory = await openMemory({ root: folder, environment: { RALPH_HOME: join(folder, "user-home") } });
  try {
    const notes = [
      {
        type: "pattern",
        tags: ["imports"],
        content: "This codebase uses barrel exports for all module boundaries.",
      },
      {
        type: "decision",
        tags: ["storage"],
        content: "Chose JSONL over SQLite for events: append-only and git-friendly.",
      },
      {
        type: "fix",
        tags: ["docker", "database"],
        content: "ECONNREFUSED on port 5432 means PostgreSQL isn't running. Fix: docker compose up -d",
      },
    ] as const;
    for (const note of notes) {
      const { note: stored } = await memory.addNote(note);
      tell(`An agent stored a ${note.type}.`, `${stored.id}: ${stored.content}`);
    }
    const again = await memory.addNote({
      ...notes[0],
      content: "this codebase uses barrel exports  for all module boundaries.",
    });
    tell("It tried to store the same thing again.", `${again.note.id} was there already; no twin was added`);
    const secret = await memory.addNote({
      type: "context",
      content: "Staging is at postgres://app:hunter2secret@db.local/app",
    });
    tell("It stored a note with a password in it.", secret.note.content);
    appendFileSync(
      join(folder, ".agent", "memories.md"),
      "\n### mem-1737400000-0001\n> The release branch is frozen on Fridays.\n<!-- tags: release | created: 2025-01-20 -->\n",
    );
    tell("A person added a note with an editor.", "> The release branch is frozen on Fridays.");
    for (const text of [
      "how do we start the database when the connection is refused",
      "when are releases frozen",
    ]) {
      const [best] = await memory.searchNotes({ text, limit: 1 });
      tell(
        `Somebody asked: ${text}?`,
        best === undefined ? "nothing found" : `${best.id}: ${oneLine(best.content)}`,
      );
    }
    const { text, leftOut } = await memory.primeText({ budgetTokens: 300 });
    tell(`What goes into the next prompt, within 300 tokens (${leftOut} left out):`, text.trimEnd());
  } finally {
    await memory.close();
  }
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `   ${line}`)
    .join("\n");
}
