import { describe, expect, it } from "vitest";
import type { Candidate, CandidateSource, SectionName } from "../../src/recall/candidate.js";
import { recallFrom } from "../../src/recall/recall.js";
import { toQuestion } from "../../src/recall/recall-question.js";

const question = toQuestion({ objective: "Fix the orders test" }, new Date("2026-11-16T10:00:00Z"));
const limits = { budgetTokens: 0 };

function candidate(id: string, kind: Candidate["kind"], section: SectionName, statement: string): Candidate {
  return { id, kind, section, statement, text: `- [${id}] ${statement}`, score: 0.5, parts: {}, why: "" };
}

const learning = candidate("learn-1", "learning", "avoid", "ECONNREFUSED → start the database");
const estimate = candidate("estimate", "estimate", "estimates", "Tasks like this took 2 iterations");
const source = (kind: CandidateSource["kind"], ...found: Candidate[]): CandidateSource => ({
  kind,
  find: async () => found,
});

describe("a recall", () => {
  it("tells a later source what the agent knows already, so that it is not told again in other words", async () => {
    const heard: string[] = [];
    const tasks: CandidateSource = {
      kind: "task",
      async find(_question, foundBefore) {
        heard.push(...(await foundBefore).map(({ id }) => id));
        return [];
      },
    };
    const { brief } = await recallFrom([source("learning", learning), tasks], question, limits, ["learn-1"]);
    expect(heard).toEqual(["learn-1"]);
    expect(brief.text).toBe("");
  });

  it("says what similar tasks took only beside something else", async () => {
    const alone = await recallFrom([source("task", estimate)], question, limits);
    expect(alone.brief.text).toBe("");
    const both = await recallFrom([source("learning", learning), source("task", estimate)], question, limits);
    expect(both.brief.shown.map(({ id }) => id)).toEqual(["learn-1", "estimate"]);
  });
});
