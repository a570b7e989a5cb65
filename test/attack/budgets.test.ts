import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

const megabyte = 1024 * 1024;
const head = "## Fixes\n\n### mem-1700000000-abcd\n> kettle\n<!-- tags: ";
const fill = (unit: string, start = "") =>
  Buffer.concat([Buffer.from(start), Buffer.alloc(16 * megabyte, unit)]);
const note = (index: number) =>
  `### mem-${1_700_000_000 + index}-abcd\n> kettle ${index}\n<!-- tags: t | created: 2025-01-20 -->\n\n`;
const fences = Array.from({ length: 5600 }, (_, index) => "`".repeat(5603 - index)).join("\n");

const files: Record<string, () => Buffer> = {
  "450 MB of empty lines": () => Buffer.alloc(450 * megabyte, "\n"),
  "400,000 notes": () => Buffer.from(Array.from({ length: 400_000 }, (_, index) => note(index)).join("")),
  "one line": () => fill("kettle ", `${note(0)}### mem-1700000001-abcd\n> `),
  bullets: () => fill("- x\n"),
  sections: () => fill("## x\n"),
  headings: () => fill("### mem-1\n"),
  comments: () => fill("<!--\n"),
  fences: () => fill("```\n````\n"),
  "fences, each shorter": () => Buffer.from(fences),
  tags: () => fill("a, ", head),
  dates: () => fill("| created: ", `${head}\r`),
  quotes: () => fill(">\n", `${head}x | created: 2025-01-20 -->\n`),
  conflicts: () => fill("<<<<<<< a\n"),
};

function projectWith(bytes: Buffer): string {
  const cwd = scratchRepository();
  mkdirSync(join(cwd, ".agent"));
  writeFileSync(join(cwd, ".agent/memories.md"), bytes);
  return cwd;
}

/** The promise is two seconds; the machine that tests this may be busy. */
const slackMs = 3000;

describe.each(Object.entries(files))("notes that are %s", (_, make) => {
  it("delay no hook, and no command by more than their size asks for", async () => {
    const cwd = projectWith(make());
    for (const name of ["SessionStart", "UserPromptSubmit", "Stop"]) {
      const event = {
        session_id: "one",
        cwd,
        hook_event_name: name,
        source: "startup",
        prompt: "Which kettle?",
      };
      const begin = performance.now();
      const args = ["hook", "claude", name];
      const { status, stdout } = await runRalph(args, { cwd, input: JSON.stringify(event) });
      expect(performance.now() - begin, name).toBeLessThan(2000 + slackMs);
      expect([status, typeof JSON.parse(stdout)], name).toEqual([0, "object"]);
    }
    const env = { NODE_OPTIONS: "--max-old-space-size=300" };
    const found = await runRalph(["memory", "search", "kettle"], { cwd, env });
    expect(found.status, found.stderr.slice(0, 300)).toBe(0);
    expect(found.stderr.split("\n").length).toBeLessThan(210);
  });
});

describe("a notes file above the limit", () => {
  it("is read up to it, said in one line, and never written to", async () => {
    const path = ".agent/memories.md";
    const cwd = projectWith(Buffer.from(`## Fixes\n\n${note(1)}`));
    truncateSync(join(cwd, path), 17 * megabyte);
    const list = await runRalph(["memory", "list", "--format", "quiet"], { cwd });
    expect(list.stdout).toBe("mem-1700000001-abcd\n");
    expect(list.stderr.match(/nothing below is read \(it has 17 MB\)/g)).toHaveLength(1);
    const before = readFileSync(join(cwd, path));
    for (const args of [
      ["add", "gasket"],
      ["delete", "mem-1700000001-abcd"],
    ]) {
      const { status, stderr } = await runRalph(["memory", ...args], { cwd });
      expect([status, stderr.trim().split("\n")]).toMatchObject([
        1,
        [/larger than 16 MB.*nothing was changed/],
      ]);
    }
    expect(readFileSync(join(cwd, path)).equals(before)).toBe(true);
  });

  it("by the number of its notes is not written to either", async () => {
    const cwd = projectWith(Buffer.from(Array.from({ length: 50_001 }, (_, index) => note(index)).join("")));
    const { status, stderr } = await runRalph(["memory", "add", "gasket"], { cwd });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/Error: More than 50000 notes/)]);
  });
});

describe("a hook", () => {
  it("takes a pattern that never ends for a fault", async () => {
    const cwd = projectWith(Buffer.from(note(1)));
    writeFileSync(join(cwd, "ralph.yml"), 'hooks: { exclude: ["(.+)+\\u0001"] }\n');
    await runRalph(["init"], { cwd });
    const prompt = "Why does the kettle boil so slowly in the morning, and who can tell?";
    const event = { session_id: "one", cwd, hook_event_name: "UserPromptSubmit", prompt };
    const begin = performance.now();
    const args = ["hook", "claude", "UserPromptSubmit"];
    const { status, stdout } = await runRalph(args, { cwd, input: JSON.stringify(event) });
    expect([status, stdout]).toEqual([0, "{}\n"]);
    expect(performance.now() - begin).toBeLessThan(2000 + slackMs);
    expect(statSync(join(cwd, ".ralph/ralph.log")).size).toBeGreaterThan(0);
  });
});
