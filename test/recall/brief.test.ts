import fc from "fast-check";
import { encode as encodeCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as encodeO200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { bestOfAll, composeBrief } from "../../src/recall/brief.js";
import { type Candidate, type SectionName, sectionNames } from "../../src/recall/candidate.js";
import { foldDuplicates } from "../../src/recall/fold-duplicates.js";
import { isControlTask } from "../../src/recall/metrics/measure-impact.js";
import { countTokens } from "../../src/text/tokens/count-tokens.js";

let made = 0;

function candidate(section: SectionName, statement: string, score = 0.5): Candidate {
  made += 1;
  const text = `- [r-${made}] ${statement}`;
  return {
    id: `r-${made}`,
    kind: "note",
    section,
    statement,
    text,
    score,
    parts: {},
    why: "",
  };
}

const words =
  "store query index timeout retry socket ünïcode src/a-b.ts ECONNREFUSED 数据库 migrate lock ⠋⠙⠹ ʃəɹ ἀρχή ꀀꀁ 㐀㐁 ]]]]]] }}}} XQJ kEyOfMiXeD".split(
    " ",
  );
const statement = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 120 })
  .map((list) => list.join(" "));
const candidates = fc.array(
  fc
    .tuple(fc.constantFrom(...sectionNames), statement, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([section, text, score]) => candidate(section, text, score)),
  { maxLength: 60 },
);

describe("a brief", () => {
  it("never exceeds its budget, by its own count or a tokenizer's", () => {
    fc.assert(
      fc.property(candidates, fc.constantFrom(60, 500, 1000, 2000), (given, budgetTokens) => {
        const { text, tokens, shown, leftOut } = composeBrief(given, { budgetTokens });
        expect(tokens).toBeLessThanOrEqual(budgetTokens);
        const real = Math.max(encodeCl100k(text).length, encodeO200k(text).length);
        expect(real).toBeLessThanOrEqual(budgetTokens * 1.05);
        expect(shown.length + leftOut).toBe(given.length);
        for (const { text: entry } of shown) expect(text).toContain(entry);
      }),
      { numRuns: 150 },
    );
  });

  it("shows everything without a budget, and says nothing of what is left out", () => {
    const given = sectionNames.map((name) => candidate(name, `about ${name}`));
    const { text, shown, leftOut } = composeBrief(given, { budgetTokens: 0 });
    expect([shown.length, leftOut]).toEqual([given.length, 0]);
    expect(text).not.toContain("left out");
  });

  it("gives a section that others would crowd out its share, and hands on what it does not use", () => {
    const many = Array.from({ length: 80 }, (_, index) =>
      candidate("notes", `note number ${index} says a thing`),
    );
    const skill = candidate("skills", "deploy the service");
    const { shown, leftOut } = composeBrief([...many, skill], { budgetTokens: 500 });
    expect(shown).toContain(skill);
    expect(shown.length).toBeGreaterThan(15);
    expect(leftOut).toBe(81 - shown.length);
  });

  it("keeps to the limit of a section", () => {
    const many = Array.from({ length: 80 }, (_, index) =>
      candidate("notes", `note number ${index} says a thing`),
    );
    const { shown } = composeBrief(many, { budgetTokens: 4000, sectionTokens: { notes: 200 } });
    expect(shown.reduce((sum, { text }) => sum + countTokens(`${text}\n`), 0)).toBeLessThanOrEqual(200);
  });

  it("is empty when nothing is known or nothing fits", () => {
    expect(composeBrief([], { budgetTokens: 500 }).text).toBe("");
    expect(composeBrief([candidate("notes", "x ".repeat(900))], { budgetTokens: 500 })).toMatchObject({
      text: "",
      leftOut: 1,
    });
  });
});

describe("ranking across kinds", () => {
  it("weighs semantic records by 0.5, episodic ones by 0.3 and skills by 0.2, and keeps five", () => {
    const given = [
      candidate("skills", "skill", 1),
      candidate("similar", "task", 0.8),
      ...[0.9, 0.7, 0.3].map((score) => candidate("strategies", `strategy ${score}`, score)),
      candidate("notes", "note", 0.35),
      candidate("avoid", "mistake", 1),
    ];
    expect(bestOfAll(given).map(({ statement }) => statement)).toEqual([
      "strategy 0.9",
      "strategy 0.7",
      "task",
      "skill",
      "note",
    ]);
  });

  it("folds what says the same into the best of it", async () => {
    const best = candidate("strategies", "Always mock the clock in login tests", 0.9);
    const twin = candidate("notes", "Mock the clock in the login tests", 0.4);
    const other = candidate("notes", "Never mock the clock in login tests", 0.3);
    expect(await foldDuplicates([twin, other, best])).toEqual({
      kept: [other, best],
      dropped: new Map([[twin, best]]),
    });
  });
});

describe("the control group", () => {
  it("has about the share of tasks that is set, each time the same ones", () => {
    const uuids = Array.from(
      { length: 2000 },
      (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    );
    const drawn = uuids.filter((uuid) => isControlTask(uuid, 0.1));
    expect(drawn.length).toBeGreaterThan(150);
    expect(drawn.length).toBeLessThan(250);
    expect(uuids.filter((uuid) => isControlTask(uuid, 0.1))).toEqual(drawn);
    expect(uuids.some((uuid) => isControlTask(uuid, 0))).toBe(false);
    expect(uuids.every((uuid) => isControlTask(uuid, 1))).toBe(true);
  });
});
