import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Skill } from "../../src/domain/knowledge/skill.js";
import { parsePlainFields } from "../../src/procedural/front-matter.js";
import {
  bodyOf,
  declaredName,
  parseSkillFile,
  renderSkill,
  renderSkillFile,
  toSkill,
} from "../../src/procedural/skill-file.js";

const sample = readFileSync(join(import.meta.dirname, "../fixtures/skills/published-sample.md"), "utf8");

const piece = fc.constantFrom(
  ...[
    "---\n",
    "---",
    "name: a\n",
    "description: b: c\n",
    "\u{feff}",
    "\r\n",
    "\n",
    "## Steps\n",
    "## Steps\r\n",
  ],
  ...[
    "```\n",
    "~~~~\n",
    "- one\n",
    "1. two\n",
    "   more\n",
    "# Title",
    "## Other ##\n",
    "\u0000",
    "é",
    "text",
  ],
);

const line = fc
  .string({ unit: fc.constantFrom(..."abc XY`é.:-*#1{}"), minLength: 1, maxLength: 20 })
  .map((text) => text.replace(/\s+/g, " ").trim())
  .filter((text) => text !== "");
const words = fc
  .array(fc.constantFrom("Run", "the", "`npm test: all`", "tests", "{file}", "{name}.ts"), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) => all.join(" "));
const skillArbitrary: fc.Arbitrary<Skill> = fc.record({
  name: fc.constantFrom("a", "api-endpoint", "x-1"),
  description: line,
  title: words,
  prerequisites: fc.array(words, { maxLength: 3 }),
  steps: fc.array(
    fc.oneof(
      words,
      fc.tuple(words, words).map((both) => both.join("\n")),
    ),
    { maxLength: 12 },
  ),
  common_errors: fc.array(fc.record({ error: words, fix: words }), { maxLength: 3 }),
  exit_criteria: fc.array(words, { maxLength: 3 }),
  metadata: fc.dictionary(fc.constantFrom("drafted-from", "version"), line),
});

describe("a skill file", () => {
  it("is parsed in the published form and rendered unchanged", async () => {
    const file = await parseSkillFile(sample);
    const skill = toSkill(file, "api-endpoint");
    expect(skill).toMatchObject({
      title: "API Endpoint Implementation",
      description: "API Endpoint Implementation",
    });
    expect(skill.prerequisites).toEqual([
      "OpenAPI spec exists at .loki/specs/openapi.yaml",
      "Database schema defined",
    ]);
    expect(skill.steps).toHaveLength(8);
    expect(skill.steps[1]).toBe("Create route handler in src/routes/{resource}.ts");
    expect(skill.common_errors).toEqual([
      { error: "Missing return type", fix: "Add `: void` to handler" },
      { error: "Schema mismatch", fix: "Regenerate types from spec" },
    ]);
    expect(skill.exit_criteria.at(-1)).toBe("No TypeScript errors");
    expect(renderSkillFile(file)).toBe(sample);
    const written = await parseSkillFile(renderSkill(skill));
    expect(bodyOf(written).trimStart()).toBe(sample);
    expect(toSkill(written, "api-endpoint")).toEqual(skill);
  });

  it("keeps every byte, whatever it contains", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const text = pieces.join("");
        const file = await parseSkillFile(text).catch(() => undefined);
        if (file !== undefined) expect(renderSkillFile(file)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it("has the same content after rendering and parsing", async () => {
    await fc.assert(
      fc.asyncProperty(skillArbitrary, async (skill) => {
        expect(toSkill(await parseSkillFile(renderSkill(skill)), skill.name)).toEqual(skill);
      }),
      { numRuns: 300 },
    );
  });

  it("has plain front matter parsed as YAML would", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("name", "description", "x-y"), line)), (fields) => {
        const text = fields.map(([key, value]) => `${key}: ${value}`).join("\n");
        const plain = parsePlainFields(text);
        if (plain !== undefined) expect(parse(text) ?? {}).toEqual(plain);
      }),
      { numRuns: 1000 },
    );
  });

  it("may lack sections and front matter, and have other sections", async () => {
    const file = await parseSkillFile("# Deploying\n\nPush to main.\r\n\r\n## Rollback\nRevert.\n");
    expect(toSkill(file, "deploy")).toEqual({
      name: "deploy",
      title: "Deploying",
      description: "Push to main.",
      prerequisites: [],
      steps: [],
      common_errors: [],
      exit_criteria: [],
      metadata: {},
    });
  });

  it("may start with a horizontal rule", async () => {
    const file = await parseSkillFile("---\nA rule above.\n\nname: not a field\n");
    expect(toSkill(file, "a").description).toBe("--- A rule above.");
  });

  it("has headings and items only outside code", async () => {
    const text = "## Steps\n1. Write\n   ```md\n   ## Exit Criteria\n   - x\n   ```\n2. Read\n";
    const { sections } = await parseSkillFile(text);
    expect(sections).toHaveLength(1);
    expect(toSkill({ block: "", fields: {}, opening: "", sections }, "a").steps).toEqual([
      "Write\n```md\n## Exit Criteria\n- x\n```",
      "Read",
    ]);
  });

  it("accepts multi-line and quoted descriptions, and other fields", async () => {
    const text =
      '---\nname: "a-b"\ndescription: >\n  Folded:\n  text\nallowed-tools: [Read]\nmetadata: {version: 1.5}\n---\n';
    const file = await parseSkillFile(text);
    expect(declaredName(file)).toBe("a-b");
    expect(toSkill(file, "a-b")).toMatchObject({ description: "Folded: text", metadata: { version: "1.5" } });
  });

  it.each([
    ["---\nname: [a\n---\n", /The front matter is not YAML: line \d/],
    ["---\nname: a\ndescription: use when: x\n---\n", /not YAML: line 3/],
    [`---\ndescription: A${" ".repeat(1_000_000)}x\n---\n`, /larger than 64 KB/],
    ["---\nname: a\ndescription: *x\n---\n", /not YAML: .*alias.* x/],
    ["---\n<<: *x\n---\n", /not YAML: .*alias.* x/],
    [`---\nx: &x [1]\ny: [${"*x, ".repeat(120)}*x]\n---\n`, /not YAML: .*alias/],
    [`---\nx: &x [1]\ny: &y [${"*x, ".repeat(20)}]\nz: [${"*y, ".repeat(20)}]\n---\n`, /not YAML: .*alias/],
    [`---\nx: ${"[".repeat(60_000)}\n---\n`, /not YAML/],
    ["---\nname: {toString: 1}\n---\n", /Invalid skill name/],
    ["---\nname: a\ndescription: {toString: 1}\n---\n", /description is not a text/],
    ["---\nname: a\ndescription: b\n\n# Title\n\nText\n", /front matter is not closed/],
    ["\u{feff}---\r\nlicense: MIT\r\ndescription: b", /front matter is not closed/],
    ["---\n- a\n---\n", /not a list of keys and values/],
    ["---\nname: a\nname: a\n---\n", /not YAML/],
    ["---\nname: ../up\n---\n", /Invalid skill name/],
    ["---\nname: a\ndescription: [x]\n---\n", /description is not a text/],
    [`---\ndescription: ${"word ".repeat(300)}\n---\n`, /description has 1499 characters/],
  ])("is rejected with the reason, number %#", async (text, reason) => {
    const read = async () => {
      const file = await parseSkillFile(text);
      declaredName(file);
      toSkill(file, "a");
    };
    await expect(read()).rejects.toThrow(reason);
  });
});
