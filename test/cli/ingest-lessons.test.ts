import { describe, expect, it } from "vitest";
import { rankLessons, renderLesson } from "../../src/cli/commands/ingest/lessons.js";
import type { ExtractedLearning } from "../../src/domain/knowledge/learning.js";

function learning(
  type: ExtractedLearning["type"],
  task: string,
  description: string,
  prevention?: string,
): ExtractedLearning {
  const content = { description, ...(prevention !== undefined && { prevention }) };
  return { type, taskType: "general", content, confidence: 0.6, successRate: 0, sourceLoops: [task] };
}

describe("what ingest has learned", () => {
  it("begins with what a person said, then what helped most often, and counts the same once", () => {
    const lessons = rankLessons([
      learning("antipattern", "task-001", "EFOO", undefined),
      learning("antipattern", "task-001", "EBAR", "run `bar`"),
      learning("antipattern", "task-001", "EBAZ", "run `baz`"),
      learning("antipattern", "task-002", "EBAZ", "run `baz`"),
      learning("strategy", "task-002", "Use pnpm"),
    ]);
    expect(lessons.map(({ statement, tasks }) => [statement, tasks])).toEqual([
      ["Use pnpm", 1],
      ["EBAZ", 2],
      ["EBAR", 1],
      ["EFOO", 1],
    ]);
  });

  it("shows what helped, however long the problem is, and fits the line", () => {
    const lesson = {
      statement: `missing go.sum entry for ${"module/".repeat(20)}`,
      remedy: "run `go mod tidy`",
      tasks: 2,
    };
    const line = renderLesson(lesson, 60);
    expect(line).toMatch(/^missing go\.sum.*… → run `go mod tidy` \(2 tasks\)$/);
    expect(line.length).toBeLessThanOrEqual(60);
    const long = renderLesson({ ...lesson, remedy: `run \`${"x".repeat(200)}\`` }, 60);
    expect(long.length).toBeLessThanOrEqual(60);
    expect(long).toContain(" → run `xxx");
  });
});
