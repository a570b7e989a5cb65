import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { parseNotes } from "../../src/notes/parse.js";
import { renderNote } from "../../src/notes/render.js";
import { parseSkillFile, renderSkill, toSkill } from "../../src/procedural/skill-file.js";
import { ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

/** The first code block of a language below a heading. */
function sample(page: string, heading: string, language: string): string {
  const text = readFileSync(join("docs", page), "utf8");
  const below = text.slice(text.indexOf(`\n## ${heading}\n`));
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(below)?.[1] ?? "";
}

/** Runs a block as if pasted into a shell, up to the first command that fails. */
async function paste(block: string, cwd: string): Promise<string> {
  mkdirSync(join(cwd, "bin"));
  const start = `#!/bin/sh\nexec '${process.execPath}' '${ralphProgram}' "$@"\n`;
  writeFileSync(join(cwd, "bin/ralph"), start, { mode: 0o755 });
  const environment = ralphEnvironment(cwd);
  const { stdout } = await promisify(execFile)("sh", ["-ec", block], {
    cwd,
    env: { ...environment, PATH: `${join(cwd, "bin")}:${environment.PATH}` },
  });
  return stdout;
}

it.each([
  ["formats.md", "`.agent/memories.md`"],
  ["guide.md", "By hand"],
])("the notes in %s look as Ralph writes them", (page, heading) => {
  const text = sample(page, heading, "markdown");
  const { blocks } = parseNotes(Buffer.from(text), { today: "2026-01-01" });
  expect(blocks).toHaveLength(1);
  for (const { note } of blocks) expect(text).toContain(renderNote(note));
});

it("the skill in formats.md is parsed as the page says and looks as Ralph writes it", async () => {
  const text = sample("formats.md", "`.agent/skills/<name>/SKILL.md`", "markdown");
  const skill = toSkill(await parseSkillFile(text), "api-endpoint");
  expect(skill).toMatchObject({ name: "api-endpoint", metadata: { "drafted-from": "task-007" } });
  expect(renderSkill(skill)).toBe(text);
});

it("the handoff commands of the guide work when pasted", async () => {
  const block = sample("guide.md", "From one agent to the next", "sh");
  const output = await paste(block, scratchRepository());
  const plan = output.slice(output.indexOf("# Plan for attempt"));
  expect(plan).toContain("handoff-001");
  expect(plan).toContain("limits and invalid input");
});
