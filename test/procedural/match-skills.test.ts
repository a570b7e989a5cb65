import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type MatchableSkill, matchSkills } from "../../src/procedural/match-skills.js";
import { bodyOf, parseSkillFile, toSkill } from "../../src/procedural/skill-file.js";

const fixtures = join(import.meta.dirname, "../fixtures/skills");
const objectives = JSON.parse(readFileSync(join(fixtures, "objectives.json"), "utf8")) as Record<
  string,
  string[]
>;
const cases = Object.entries(objectives).flatMap(([name, texts]) =>
  texts.map((text) => [name, text] as const),
);

let skills: MatchableSkill[];
const namesFor = (objective: string, limit = 10) =>
  matchSkills(skills, objective, limit).map(({ candidate }) => candidate.skill.name);

beforeAll(async () => {
  skills = await Promise.all(
    Object.keys(objectives).map(async (name) => {
      const file = await parseSkillFile(readFileSync(join(fixtures, name, "SKILL.md"), "utf8"));
      return { skill: toSkill(file, name), body: bodyOf(file) };
    }),
  );
});

describe("matching skills with objectives", () => {
  it("ranks the right one of ten first for nearly all objectives, and in the top three for all", () => {
    expect(cases).toHaveLength(50);
    const first = cases.filter(([name, objective]) => namesFor(objective)[0] === name);
    expect(first.length).toBeGreaterThanOrEqual(45);
    expect(cases.filter(([name, objective]) => !namesFor(objective, 3).includes(name))).toEqual([]);
  });

  it("finds other inflections and prefixes of words", () => {
    expect(namesFor("migrating databases")[0]).toBe("database-migration");
    expect(namesFor("perf")).toEqual(["performance-profiling"]);
    expect(namesFor("k8s? kube")[0]).toBe("container-image");
  });

  it.each([
    ["performance-profiling", "page load takes 9 seconds for new users"],
    ["performance-profiling", "the report is slow after adding filters"],
    ["performance-profiling", "return results in under 200 ms"],
    ["container-image", "new pods crash in Kubernetes after deploy"],
    ["dependency-upgrade", "fix CVE-2024-1234 in lodash"],
    ["interface-translation", "show the app in Japanese to new users"],
    ["publish-release", "ship 2.4.0"],
  ])("finds %s by the topic rather than by generic words and numbers: %s", (name, objective) => {
    const [first] = matchSkills(skills, objective, 1);
    expect(first?.candidate.skill.name).toBe(name);
    expect(first?.matched.filter((word) => /^\d+$/.test(word))).toEqual([]);
  });

  it.each(["the a of", "*", "2 4 0", "add a new one", "return the users after", "write a poem about cats"])(
    "takes no match from words that say nothing: %s",
    (objective) => expect(namesFor(objective)).toEqual([]),
  );

  it("finds a skill by its name, even one of generic words", () => {
    const [skill] = skills;
    const named = skill && { ...skill, skill: { ...skill.skill, name: "report-a-bug" } };
    const found = matchSkills(named ? [named] : [], "how to report bugs", 1);
    expect(found[0]?.matched).toEqual(["report", "bugs"]);
  });

  it("finds nothing without a shared word, and lists the matching words", () => {
    expect(namesFor("zzz qqq")).toEqual([]);
    expect(namesFor("")).toEqual([]);
    expect(matchSkills(skills, "Rotate the leaked keys", 1)[0]).toMatchObject({
      candidate: { skill: { name: "rotate-credentials" } },
      matched: ["rotate", "leaked", "keys"],
    });
  });
});
