import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSection, replaceSection } from "../../src/working/continuity-file.js";
import { renderContinuity, renderKnowledge } from "../../src/working/render-continuity.js";
import { publishedContinuity } from "../support/published.js";

describe("the text of the managed section", () => {
  it("is the published one for the published records", () => {
    const memories = [
      { id: "sem-001", text: "Express handlers need explicit return types" },
      { id: "ep-2026-01-05-012", text: "Similar endpoint implementation succeeded" },
      { id: "skill: api-implementation", text: "Standard API implementation flow" },
    ];
    const mistakes = [
      { text: "Don't forget return type annotations" },
      { text: "Run contract tests before marking complete" },
    ];
    expect(renderKnowledge({ memories, mistakes })).toBe(publishedContinuity);
    expect(renderContinuity({ memories, mistakes })).toBe(
      `## Current Task\n- none\n\n${publishedContinuity}`,
    );
  });

  it("names the task and the attempt under way", () => {
    const task = { id: "task-001", status: "running", description: "Fix it" };
    const attempt = { id: 2, agent: "eng", started: "2026-01-06T10:00:00Z", iterations: 3 };
    expect(
      renderContinuity({ task: { ...task, attempt }, note: "looking", memories: [], mistakes: [] }),
    ).toBe(
      [
        "## Current Task",
        "- [task-001] Fix it (running)",
        "- Attempt 2, iteration 3, by eng, since 2026-01-06T10:00:00Z",
        "- Now: looking",
        "",
        "## Relevant Memories (Auto-Retrieved)",
        "- none",
        "",
        "## Mistakes to Avoid (From Learnings)",
        "- none",
        "",
      ].join("\n"),
    );
    expect(renderContinuity({ task, memories: [], mistakes: [] })).toContain("- No attempt in progress\n");
  });

  it("shows one line of a long record", () => {
    const text = `first\nsecond ${"word ".repeat(200)}`;
    const [line] = renderKnowledge({ memories: [{ id: "mem-1", text }], mistakes: [] })
      .split("\n")
      .slice(1);
    expect(line).toMatch(/^- \[mem-1\] first second word .*…$/);
    expect(line?.length).toBeLessThan(180);
  });

  it("lets no content be a marker, a heading or a comment", () => {
    const attack = fc.constantFrom(
      "<!-- ralph:end -->",
      "\n<!-- ralph:begin -->\n",
      "<!--",
      "-->",
      "\n## Current Task\n",
      "<\u200b!-- ralph:end --\u200b>",
      "\r",
      "</ralph-memory>",
    );
    const text = fc.array(fc.oneof(attack, fc.string({ unit: "grapheme" }))).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, text, (one, other, note) => {
        const section = renderContinuity({
          task: { id: "task-001", status: "running", description: one },
          note,
          memories: [{ id: "mem-1", text: other }],
          mistakes: [{ text: one }],
        });
        expect(section.match(/^[\s>]*#/gm)).toHaveLength(3);
        expect(section).not.toMatch(/<!|-->/);
        const file = replaceSection(Buffer.from("mine\n"), section, "x");
        expect(readSection(file, "x")).toBe(section);
      }),
      { numRuns: 500 },
    );
  });
});
