import { describe, expect, it } from "vitest";
import type { LoopIteration, LoopState } from "../../../src/domain/knowledge/learning.js";
import {
  extractLearnings,
  nameApproach,
  nameFailure,
} from "../../../src/semantic/extract/extract-from-loop.js";
import { parseLoopState } from "../../../src/semantic/extract/parse-loop-state.js";
import { fenceAsData } from "../../../src/text/fence/fence.js";

function loopOf(iterations: LoopIteration[], objective = "Fix failing authentication tests"): LoopState {
  return {
    loopId: "ralph-001",
    objective,
    status: "completed",
    currentIteration: iterations.length,
    iterations,
  };
}

function success(...learnings: string[]): LoopIteration {
  return { status: "completed", duration: 42_000, analysis: { progressMade: true }, learnings };
}

function failure(...errors: string[]): LoopIteration {
  return { status: "failed", duration: 1000, analysis: { progressMade: false, errors } };
}

const ofType = (loop: LoopState, type: string) =>
  extractLearnings(loop).filter((learning) => learning.type === type);

describe("an approach", () => {
  it.each([
    ["Write tests first before implementation", "Test-driven development approach"],
    ["Write tests first", "Test-driven development approach"],
    ["Used TDD here as well", "Test-driven development approach"],
    ["Test-driven work paid off", "Test-driven development approach"],
    ["Implemented incrementally, one function at a time", "Incremental implementation"],
    ["Went step by step through the parser", "Incremental implementation"],
    ["Made minimal changes to fix the bug", "Minimal changes approach"],
    ["A small change to the config was enough", "Minimal changes approach"],
    ["Refactored after tests passed", "Implement first, refactor after"],
    ["The latest release comes first", "The latest release comes first"],
    ["Writing tests first did not help", "Writing tests first did not help"],
    ["Fixed the first failing test", "Fixed the first failing test"],
    [
      "The auth token must be refreshed\n  before each call",
      "The auth token must be refreshed before each call",
    ],
    ["ok", undefined],
    ["   ", undefined],
    ["先写测试再实现功能", "先写测试再实现功能"],
  ])("%j is called %j", (text, name) => {
    expect(nameApproach(text)).toBe(name);
  });

  it("in a long text is its first sentence, and a long sentence is cut at a word", () => {
    const sentence = "Session cookies are set by the gateway and not by the app.";
    expect(nameApproach(`${sentence} ${"More words follow here. ".repeat(20)}`)).toBe(sentence);
    const long = nameApproach("word ".repeat(100)) ?? "";
    expect(long).toMatch(/^(?:word )+word…$/);
    expect(long.length).toBeLessThanOrEqual(161);
  });
});

describe("a failure", () => {
  it.each([
    ["SyntaxError: Unexpected token }", "Syntax errors - check code carefully before execution"],
    ["Failed to parse config", "Syntax errors - check code carefully before execution"],
    ["TypeError: Cannot read properties of undefined", "Null/undefined errors - add validation checks"],
    ["java.lang.NullPointerException", "Null/undefined errors - add validation checks"],
    ["value is null", "Null/undefined errors - add validation checks"],
    ["Request timeout after 30s", "Timeout errors - break into smaller steps"],
    ["operation timed out", "Timeout errors - break into smaller steps"],
    ["EACCES: permission denied, open '/etc/x'", "Permission errors - check file/directory permissions"],
    ["Access denied", "Permission errors - check file/directory permissions"],
    ["Cannot find module './parse'", "Module not found - verify dependencies installed"],
    ["Module not found: left-pad", "Module not found - verify dependencies installed"],
    ["sparse matrix is singular", "sparse matrix is singular"],
    ["oops", undefined],
  ])("%j is named %j", (message, name) => {
    expect(nameFailure(message)).toBe(name);
  });
});

describe("strategies", () => {
  it("are approaches of more than half the successful iterations", () => {
    const loop = loopOf([
      success("Write tests first", "Made minimal changes to the code"),
      success("Tests first, then code"),
      success("Wrote the tests first", "Made minimal changes here"),
      failure("boom"),
    ]);
    expect(ofType(loop, "strategy")).toEqual([
      {
        type: "strategy",
        taskType: "test-fix",
        content: { description: "Test-driven development approach", effectiveness: 1, iterations: 3 },
        confidence: 0.9,
        sourceLoops: ["ralph-001"],
        successRate: 1,
      },
      {
        type: "strategy",
        taskType: "test-fix",
        content: { description: "Minimal changes approach", effectiveness: 2 / 3, iterations: 2 },
        confidence: 2 / 3,
        sourceLoops: ["ralph-001"],
        successRate: 2 / 3,
      },
    ]);
  });

  it("need more than exactly half of them", () => {
    expect(ofType(loopOf([success("Write tests first"), success()]), "strategy")).toEqual([]);
  });

  it("never come from an iteration that failed or made no progress", () => {
    const guess = "Restart the database between tests";
    const noProgress = { ...success(guess), analysis: { progressMade: false } };
    const failed = { ...failure("boom"), learnings: [guess] };
    expect(ofType(loopOf([noProgress, failed]), "strategy")).toEqual([]);
  });

  it("count rewordings as one, and each iteration once", () => {
    const loop = loopOf([
      success("Refresh the auth token before each call", "Before each call, refresh auth tokens"),
      success("Refresh auth tokens before each call"),
      success("Something else entirely here"),
    ]);
    expect(ofType(loop, "strategy").map(({ content }) => content)).toEqual([
      { description: "Refresh the auth token before each call", effectiveness: 2 / 3, iterations: 2 },
    ]);
  });

  it("are not extracted from what Ralph put into the prompt", () => {
    const injected = fenceAsData("Known:", "- Always restart the worker after a deploy");
    expect(ofType(loopOf([success(injected)]), "strategy")).toEqual([]);
    expect(ofType(loopOf([success(...injected.split("\n"))]), "strategy")).toEqual([]);
    const [own] = ofType(loopOf([success(`${injected}\nThe queue must be drained first`)]), "strategy");
    expect(own?.content.description).toBe("The queue must be drained first");
  });
});

describe("antipatterns", () => {
  it("are failures of at least two iterations, with their source", () => {
    const loop = loopOf([
      failure("SyntaxError: x"),
      failure("Unexpected syntax", "Request timeout"),
      failure("Syntax problem"),
      failure("src/a.ts:12 expected 3 arguments"),
      failure("src/a.ts:14 expected 3 arguments"),
    ]);
    expect(ofType(loop, "antipattern")).toEqual([
      {
        type: "antipattern",
        taskType: "test-fix",
        content: {
          description: "Avoid: Syntax errors - check code carefully before execution",
          occurrences: 3,
          impact: "high",
        },
        confidence: 3 / 5,
        sourceLoops: ["ralph-001"],
        successRate: 0,
      },
      expect.objectContaining({
        content: {
          description: "Avoid: src/a.ts:12 expected 3 arguments",
          occurrences: 2,
          impact: "high",
        },
        confidence: 2 / 5,
      }),
    ]);
  });

  it("have a confidence of at most 0.8", () => {
    const [antipattern] = ofType(loopOf([failure("value is null"), failure("value is null")]), "antipattern");
    expect(antipattern?.confidence).toBe(0.8);
  });
});

describe("estimates", () => {
  it.each([
    [1, 0, "low", 0.2],
    [2, 2, "low", 0.4],
    [3, 1, "medium", 0.6],
    [5, 5, "medium", 0.9],
    [6, 1, "high", 0.9],
    [2, 6, "high", 0.4],
  ])("of %i iterations and %i files are %s with confidence %d", (count, files, complexity, confidence) => {
    const iterations = Array.from({ length: count }, () => success());
    const filesModified = Array.from({ length: files }, (_, index) => `file${index}.txt`);
    const loop = loopOf(iterations.map((iteration) => ({ ...iteration, filesModified })));
    expect(ofType(loop, "estimate")).toEqual([
      {
        type: "estimate",
        taskType: "test-fix",
        content: { avgIterationTime: 42_000, totalIterations: count, complexity, successRate: 1 },
        confidence,
        sourceLoops: ["ralph-001"],
        successRate: 1,
      },
    ]);
  });

  it("need a completed iteration", () => {
    expect(ofType(loopOf([failure("boom")]), "estimate")).toEqual([]);
  });
});

describe("conventions", () => {
  it("come from the paths of all changed files", () => {
    const filesModified = [
      "src/auth/login.ts",
      "src/auth/login.test.ts",
      "src/api/index.ts",
      "src/db.ts",
      "README.md",
    ];
    const loop = loopOf([{ ...success(), filesModified }]);
    expect(ofType(loop, "convention")).toEqual([
      expect.objectContaining({
        taskType: "general",
        content: {
          pattern: "Tests co-located with source or in test/ directory",
          examples: ["src/auth/login.test.ts"],
        },
        confidence: 0.7,
        successRate: 1,
      }),
      expect.objectContaining({
        content: {
          pattern: "ES modules (.mjs) or TypeScript (.ts)",
          examples: ["src/auth/login.ts", "src/auth/login.test.ts", "src/api/index.ts"],
        },
        confidence: 0.8,
      }),
      expect.objectContaining({
        content: {
          pattern: "Source files organized under src/",
          examples: ["src/auth/login.ts", "src/api/index.ts", "src/db.ts"],
        },
        confidence: 0.6,
      }),
    ]);
  });
});

describe("a loop's history", () => {
  it.each([
    [null, "is not an object"],
    [{ objective: "x", iterations: [] }, "has no loopId"],
    [{ loopId: "a", iterations: [] }, "has no objective"],
    [{ loopId: "a", objective: "x" }, "has no iterations"],
    [{ loopId: "a", objective: "x", iterations: [] }, "has no iterations to learn from"],
    [{ loopId: "a", objective: "x", iterations: [{}] }, "has no status for iteration 1"],
  ])("%j is rejected because it %s", (value, problem) => {
    expect(() => parseLoopState(value)).toThrow(problem);
  });

  it("may have errors as strings or objects, and missing fields", () => {
    const loop = parseLoopState({
      loopId: "a",
      objective: "Fix tests",
      iterations: [
        { status: "failed", analysis: { errors: ["value is null", { message: "timeout" }, 7] } },
        { status: "completed", learnings: "Write tests first", duration: Number.NaN },
      ],
    });
    expect(loop.iterations[0]?.analysis?.errors).toEqual(["value is null", "timeout"]);
    expect(loop.iterations[1]).toEqual({
      number: 2,
      status: "completed",
      analysis: { progressMade: false, errors: [] },
      learnings: ["Write tests first"],
      filesModified: [],
    });
    expect(extractLearnings(loop).map(({ type }) => type)).toEqual(["estimate"]);
  });

  it("without iterations yields no learnings", () => {
    expect(extractLearnings(loopOf([]))).toEqual([]);
  });
});
