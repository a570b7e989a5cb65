import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadLayout } from "../../src/interop/layout.js";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { put } from "../support/scratch.js";
import { describeLayout, take, write } from "./layout-contract.js";

const root = "/home/dev/parcel";

const pennies = `---
name: amounts-in-pennies
description: Amounts are pennies in every module
metadata:
  node_type: memory
  type: project
  modified: 2026-02-01T10:00:00.000Z
---

Keep integers. See [[short-commits]] and [[unwritten]].
`;
const claudeFiles = {
  "memory/MEMORY.md": "- [Amounts](amounts-in-pennies.md) — integers\n- Lunch is at noon\n",
  "memory/amounts-in-pennies.md": pennies,
  "memory/team/feedback_short.md": "---\nname: Short commits\ntype: feedback\n---\n\nOne change each.\n",
};

describeLayout({
  layout: "claude",
  files: claudeFiles,
  path: "memory",
  counts: { note: 3, link: 2 },
  found: ["Keep integers", "One change each", "Lunch is at noon"],
  saying: (text) => ({ "memory/one.md": `---\nname: one\n---\n${text}\n` }),
});

describe("memories of Claude Code", () => {
  const layout = "claude" as const;

  it("are those of the project whose sessions were begun in its folder, whatever the name says", async () => {
    const home = write({});
    const projects = join(home, ".claude", "projects");
    const project = join(home, "my_shop");
    const add = (name: string, cwd: string | undefined) => {
      put(projects, `${name}/memory/note.md`, "A memory\n");
      if (cwd !== undefined)
        writeFileSync(join(projects, name, "s.jsonl"), `{"type":"summary"}\n${JSON.stringify({ cwd })}\n`);
    };
    const slug = project.replace(/[^A-Za-z0-9]/g, "-");
    const { find } = await loadLayout(layout);
    const found = () => find({ root: project, home, environment: {} });
    add(`${slug}-cut-1a2b`, join(project, "src"));
    expect(found()).toEqual([join(projects, `${slug}-cut-1a2b`, "memory")]);
    add("-a-b", join(home, "my-shop"));
    add(slug, join(home, "my-shop"));
    expect(found()).toEqual([join(projects, `${slug}-cut-1a2b`, "memory")]);
    add("z-exactly", project);
    expect(found()).toEqual([join(projects, "z-exactly", "memory")]);
  });

  it("are linked, and rules beside them are taken by section, without what Ralph added", async () => {
    const memory = await openScratchMemory();
    await take(memory, { layout, path: "memory" }, write(claudeFiles));
    expect(await memory.links.list()).toMatchObject([{ relation: "related_to" }]);
    const rules = write({
      "CLAUDE.md":
        "Intro\n\n# Style\n\nTabs.\n\n```sh\n# no heading\n```\n\n# Tests, and more\n\n## Unit\n\nFast.\n\n<!-- ralph setup: begin -->\nUse ralph.\n<!-- ralph setup: end -->\n",
      ".claude/rules/api.md": "---\npaths: src/api/**\n---\nReturn types.\n",
      ".claude/agent-memory/reviewer/MEMORY.md": "Check edges\n",
    });
    const some = await take(memory, { layout }, rules, { only: ["style", "unit", "nothing like it"] });
    expect(some.counts).toEqual({ note: { added: 2 } });
    expect(some.leftOut).toEqual([
      expect.stringContaining("no section nothing like it; there are: CLAUDE, Style"),
    ]);
    const all = await take(memory, { layout }, rules);
    expect(all.counts).toEqual({ note: { present: 2, added: 3 } });
    const notes = (await memory.notes.list()).map(({ content }) => content);
    expect(notes).toContain("Tests, and more › Unit\nFast.");
    expect(notes).toContain("api (src/api/**)\nReturn types.");
    expect(JSON.stringify(notes)).not.toContain("Use ralph");
  });

  it("of an unknown type called constructor are as good as those without one", async () => {
    const memory = await openScratchMemory();
    const folder = write({ "memory/one.md": "---\nname: one\ntype: constructor\n---\nKeep integers.\n" });
    await take(memory, { layout, path: "memory" }, folder);
    expect(await memory.notes.list()).toMatchObject([{ type: "context" }]);
  });

  it("that are too long for a note are split", async () => {
    const memory = await openScratchMemory();
    const long = `# Long\n\n${Array.from({ length: 2000 }, (_, each) => `Paragraph ${each}.`).join("\n\n")}`;
    const report = await take(memory, { layout }, write({ "CLAUDE.md": long }));
    expect(report.counts.note?.added).toBeGreaterThan(2);
  });
});

const group = (name: string, cwd: string) => `# Task Group: ${name}

scope: totals
applies_to: cwd=${cwd}; reuse_rule=safe

## Task 1: Fix totals, success

### rollout_summary_files

- rollout_summaries/x.md (cwd=${cwd}, updated_at=2026-02-01T11:00:00+00:00)

## User preferences

- tests come first in ${name} [Task 1]

## Reusable knowledge

- ${name} keeps pennies [Task 1]

## Failures and how to do differently

- ${name} drifts -> float sums -> use integers [Task 1][Task 2]

`;
const rollout = (cwd: string) =>
  `thread_id: t-1\nupdated_at: 2026-02-01T11:00:00+00:00\ncwd: ${cwd}\n\n# Fixed totals by integers\n\nContext.\n\n## Task 1: Fix invoice totals\n\nOutcome: success\n\nSteps.\n\n## Task 2: Print receipts\n\nOutcome: partial\n`;
const codexFiles = {
  "memory_summary.md":
    "v1\n\n## User Profile\nLikes brevity.\n\n## What's in Memory\n### other\n- secret thing\n### parcel\n- invoices\n",
  "MEMORY.md": group("invoices", root) + group("strange", "/home/dev/other"),
  "rollout_summaries/2026-02-01T10-00-00-x.md": rollout(`${root}/src`),
  "rollout_summaries/2026-02-02T10-00-00-y.md": rollout("/home/dev/other"),
  "extensions/ad_hoc/notes/2026-02-03T10-00-00-d.md": "Deploys run at noon.\n",
  "raw_memories.md": "# Raw Memories\nscratch\n",
};

describeLayout({
  layout: "codex",
  root,
  files: codexFiles,
  counts: { task: 2, learning: 2, note: 4 },
  found: ["invoices keeps pennies", "tests come first", "Deploys run at noon", "Fix invoice totals"],
  saying: (text) => ({ "extensions/ad_hoc/notes/a.md": text }),
});

describe("memories of Codex", () => {
  it("are those of this folder, unless others are asked for", async () => {
    const memory = await openScratchMemory();
    const folder = write(codexFiles);
    const report = await take(memory, { layout: "codex", root }, folder);
    expect(report.leftOut[0]).toContain("MEMORY.md: 1 of other folders");
    expect(await memory.tasks.list()).toMatchObject([{ status: "failed" }, { status: "completed" }]);
    expect(await memory.learnings.list({ type: "antipattern" })).toMatchObject([
      { content: { description: "invoices drifts: float sums", prevention: "use integers" } },
    ]);
    const other = await take(memory, { layout: "codex", root }, folder, { only: ["strange"] });
    expect(other.counts).toEqual({ learning: { added: 2 }, note: { added: 1 } });
  });

  it("may tell of an outcome that nobody knows", async () => {
    const memory = await openScratchMemory();
    const path = "rollout_summaries/2026-02-01T10-00-00-x.md";
    const folder = write({ ...codexFiles, [path]: rollout(root).replace("success", "constructor") });
    await take(memory, { layout: "codex", root }, folder);
    expect(await memory.tasks.list()).toMatchObject([{ status: "failed" }, { status: "paused" }]);
  });
});

const geminiFiles = {
  "GEMINI.md":
    "# My rules\n\nText.\n\n## Gemini Added Memories\n- I like brevity\n- Amounts are pennies\n  everywhere\n\n## Other\n- no memory\n",
};

describeLayout({
  layout: "gemini",
  files: geminiFiles,
  path: "GEMINI.md",
  counts: { note: 2 },
  found: ["I like brevity", "Amounts are pennies"],
  saying: (text) => ({ "GEMINI.md": `## Gemini Added Memories\n- ${text}\n` }),
});

describe("memories of Gemini CLI", () => {
  it("are found by the path of the project beside them; rules are taken if they are asked for", async () => {
    const home = write({
      ".gemini/tmp/parcel/.project_root": `${root}\n`,
      ".gemini/tmp/parcel/memory/MEMORY.md": "- a private fact\n",
      ".gemini/tmp/other/.project_root": "/home/dev/other",
      ".gemini/tmp/other/memory/MEMORY.md": "- another's fact\n",
    });
    const { find } = await loadLayout("gemini");
    expect(find({ root, home, environment: {} })).toEqual([
      join(home, ".gemini/tmp/parcel/memory/MEMORY.md"),
    ]);
    const memory = await openScratchMemory();
    const report = await take(memory, { layout: "gemini" }, write(geminiFiles), { only: ["Other"] });
    expect(report.counts).toEqual({ note: { added: 1 } });
  });
});
