import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractedTypes, type Learning, learningTypes } from "../../../src/domain/knowledge/learning.js";
import { RalphError } from "../../../src/domain/ralph-error.js";
import { makeDocument, parseImport } from "../../../src/semantic/exchange/learnings-document.js";
import { renderCsv, renderJson, renderMarkdown } from "../../../src/semantic/exchange/render-export.js";
import { checksumOf, recordChecksum } from "../../../src/semantic/records/checksum.js";

const strategy: Learning = {
  id: "learn-abc12345",
  type: "strategy",
  taskType: "test-fix",
  content: { description: "Test-driven development approach", effectiveness: 0.85, iterations: 12 },
  confidence: 0.85,
  sourceLoops: ["ralph-001", "ralph-003"],
  createdAt: "2026-02-01T15:00:00Z",
  updatedAt: "2026-02-03T10:30:00Z",
  useCount: 5,
  successRate: 0.85,
};
const antipattern: Learning = {
  ...strategy,
  id: "learn-2",
  type: "antipattern",
  taskType: "bug-fix",
  content: { description: "Avoid:\n  timeouts" },
  sourceLoops: [],
  successRate: 0,
  useCount: 1,
};
const convention: Learning = {
  ...strategy,
  id: "learn-3",
  type: "convention",
  taskType: "general",
  content: { pattern: "Tests in test/", examples: ["test/a.test.ts"] },
};
const estimate: Learning = {
  ...strategy,
  id: "learn-4",
  type: "estimate",
  content: { avgIterationTime: 45_000, totalIterations: 3, complexity: "medium", successRate: 1 },
};
const fact: Learning = { ...strategy, id: "learn-5", type: "fact", content: { description: "Node 20" } };
const all = [strategy, antipattern, convention, estimate, fact];
const now = "2026-02-03T10:30:00Z";

/** An exported document, edited and rendered again, with an updated checksum if asked. */
function changed(change: (document: Record<string, unknown>) => void, isSigned = false): string {
  const document = structuredClone(makeDocument([strategy], now).document) as unknown as Record<
    string,
    unknown
  >;
  change(document);
  if (isSigned) document.checksum = checksumOf(document.learnings as unknown[]);
  return JSON.stringify(document);
}

function withField(name: string, value: unknown): string {
  return changed(({ learnings }) => {
    const [first] = learnings as Record<string, unknown>[];
    if (first !== undefined) first[name] = value;
  }, true);
}

describe("the checksum of learnings", () => {
  it("is SHA-256 of their compact JSON", () => {
    const expected = createHash("sha256")
      .update(JSON.stringify([strategy], null, 0))
      .digest("hex");
    expect(checksumOf([strategy])).toBe(expected);
    expect(checksumOf([])).toBe("4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945");
  });

  it("depends on the order of records, but for one record not on the order of its fields", () => {
    expect(checksumOf([strategy, antipattern])).not.toBe(checksumOf([antipattern, strategy]));
    const reversed = Object.fromEntries(Object.entries(strategy).reverse()) as unknown as Learning;
    expect(recordChecksum(reversed)).toBe(recordChecksum(strategy));
    expect(recordChecksum({ ...strategy, useCount: 6 })).not.toBe(recordChecksum(strategy));
  });
});

describe("an export", () => {
  it("contains the known types with checksum and counts, and reports how many it leaves out", () => {
    const { document, leftOut } = makeDocument(all, now);
    expect(leftOut).toBe(1);
    expect(document.learnings).toEqual(all.slice(0, 4));
    expect(document).toMatchObject({
      version: "1.0.0",
      checksum: checksumOf(document.learnings),
      lastUpdated: now,
      stats: {
        totalLearnings: 4,
        byType: { strategy: 1, antipattern: 1, convention: 1, estimate: 1 },
        byTaskType: { "test-fix": 2, "bug-fix": 1, general: 1 },
      },
    });
    expect(renderJson(document)).toBe(JSON.stringify(document, null, 2));
  });

  it("writes fields in the published order", () => {
    const reversed = Object.fromEntries(Object.entries(strategy).reverse()) as unknown as Learning;
    expect(renderJson(makeDocument([reversed], now).document)).toBe(
      renderJson(makeDocument([strategy], now).document),
    );
  });

  it("as CSV has the seven published columns", () => {
    expect(renderCsv([strategy, { ...fact, taskType: 'a,"b"' }])).toBe(
      "id,type,taskType,confidence,successRate,useCount,createdAt\n" +
        "learn-abc12345,strategy,test-fix,0.85,0.85,5,2026-02-01T15:00:00Z\n" +
        'learn-5,fact,"a,""b""",0.85,0.85,5,2026-02-01T15:00:00Z\n',
    );
  });

  it("as Markdown has a section for each type and a line for each learning", () => {
    expect(renderMarkdown(all)).toBe(`# Learnings

## Proven Strategies

- Test-driven development approach (test-fix, confidence 85%, success 85%, used 5 times, from ralph-001, ralph-003) [learn-abc12345]

## Anti-Patterns to Avoid

- Avoid: timeouts (bug-fix, confidence 85%, used 1 time) [learn-2]

## Time/Iteration Estimates

- Similar tasks (test-fix, medium complexity): ~3 iterations, ~45s per iteration (test-fix, confidence 85%, success 85%, used 5 times, from ralph-001, ralph-003) [learn-4]

## Project Conventions

- Tests in test/ (general, confidence 85%, success 85%, used 5 times, from ralph-001, ralph-003) [learn-3]
  Examples: test/a.test.ts

## Facts

- Node 20 (test-fix, confidence 85%, success 85%, used 5 times, from ralph-001, ralph-003) [learn-5]
`);
  });
});

describe("an import", () => {
  const json = renderJson(makeDocument([strategy], now).document);

  it("restores what was exported, unknown fields included", () => {
    const learnings = [{ ...strategy, importance: 3 }, antipattern];
    expect(parseImport(renderJson(makeDocument(learnings, now).document))).toEqual(learnings);
    expect(parseImport(`\ufeff${json}`)).toEqual([strategy]);
  });

  it.each([
    ["is cut off", json.slice(0, -40), "file-unusable", "The import is incomplete: the JSON ends too early"],
    ["is empty", "", "file-unusable", "The import is incomplete"],
    ["is something else", "id,type\n", "file-unusable", "The import is not JSON"],
    ["is a list", "[]", "file-unusable", "The import is not an object"],
    ["has other bytes", json.replace("0.85", "0.95"), "file-unusable", "does not match its checksum"],
    ["has no checksum", changed((d) => delete d.checksum), "file-unusable", "has no checksum"],
    ["has no learnings", changed((d) => delete d.learnings), "file-unusable", "has no list of learnings"],
    ["has no version", changed((d) => delete d.version), "file-unusable", "has no version"],
    ["is newer", json.replace('"1.0.0"', '"2.1.0"'), "store-too-new", "has version 2.1.0"],
    [
      "misses a field",
      withField("createdAt", undefined),
      "file-unusable",
      "learn-abc12345: missing createdAt",
    ],
    ["has confidence 1.7", withField("confidence", 1.7), "file-unusable", "confidence is not between"],
    ["has confidence null", withField("confidence", null), "file-unusable", "confidence is not between"],
    ["has success rate -1", withField("successRate", -1), "file-unusable", "successRate is not"],
    ["has half a use", withField("useCount", 0.5), "file-unusable", "useCount is not"],
    ["has sources in a text", withField("sourceLoops", "a"), "file-unusable", "sourceLoops is not"],
    ["has an unknown type", withField("type", "stratgy"), "file-unusable", 'did you mean "strategy"?'],
    ["has a learning without id", withField("id", 7), "file-unusable", "number 1: missing id"],
  ])("that %s is rejected", (_, text, code, message) => {
    expect(() => parseImport(text)).toThrow(RalphError);
    expect(() => parseImport(text)).toThrow(expect.objectContaining({ code }));
    expect(() => parseImport(text)).toThrow(message);
  });

  it("restores any exported learnings", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const learning = fc.record({
      id: fc.string({ minLength: 1 }),
      type: fc.constantFrom(...learningTypes),
      taskType: fc.string({ minLength: 1 }),
      content: fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Learning["content"]>,
      confidence: share,
      sourceLoops: fc.array(fc.string({ minLength: 1 })),
      createdAt: fc.constant(now),
      updatedAt: fc.constant(now),
      useCount: fc.nat(),
      successRate: share,
    });
    const isKnown = ({ type }: Learning) => (extractedTypes as readonly string[]).includes(type);
    fc.assert(
      fc.property(fc.uniqueArray(learning, { selector: ({ id }) => id }), (learnings) => {
        const back = parseImport(renderJson(makeDocument(learnings, now).document));
        expect(back).toEqual(JSON.parse(JSON.stringify(learnings.filter(isKnown))));
      }),
    );
  });
});
