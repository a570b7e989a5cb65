import { describe, expect, it } from "vitest";
import type { TaskType } from "../../src/domain/knowledge/learning.js";
import { classifyTask, crossTaskType } from "../../src/semantic/classify-task.js";

const objectives: Record<TaskType, string[]> = {
  "test-fix": [
    "Fix failing authentication tests",
    "Fix failing tests",
    "Fix database connection tests",
    "Fix API endpoint tests",
    "Fix the flaky scroll test",
    "Make all tests pass",
    "Increase test coverage of the parser to 90%",
    "Update the jest snapshots",
    "Write unit tests for src/auth/login.ts",
    "Add tests for the payment client",
    "Get the vitest suite green again",
    "The e2e spec for checkout is flaky",
  ],
  feature: [
    "Implement user registration feature",
    "Implement feature",
    "Add dark mode",
    "Add new feature: export to CSV",
    "Build a CLI for managing notes",
    "Create an endpoint that lists orders",
    "Please add pagination to the users endpoint",
    "Support OAuth login with GitHub",
    "Implement POST /api/todos endpoint",
    "Implement CRUD for todos",
    "Introduce feature flags",
    "Allow users to reset their password",
  ],
  refactor: [
    "Refactor auth module for clarity",
    "Refactor the tests into smaller files",
    "Reorganize the components folder",
    "Restructure the repository",
    "Clean up the error handling code",
    "Simplify the build script",
    "Rename userStore to sessionStore",
    "Extract the validation into its own module",
    "Remove dead code from the parser and tidy up",
    "Migrate from CommonJS to ESM",
    "Convert callbacks to async/await",
  ],
  "bug-fix": [
    "Fix build error",
    "Fix the login bug",
    "Debug import error",
    "Debug module import error",
    "Fix module imports",
    "Resolve the crash on startup",
    "Users see a wrong total in the cart",
    "Fix memory leak in the worker",
    "Fix bug in the test helper",
    "Fix login error in the test environment",
    "Fix TypeError: cannot read properties of undefined",
    "The upload hangs after 100 MB, fix it",
    "Repair the broken deployment",
    "Fix issue #42",
  ],
  documentation: [
    "Document the test helper",
    "Update the README",
    "Write a guide for contributors",
    "Add documentation for the REST API",
    "Fix typo in README",
    "Write docs for the plugin system",
    "Add a changelog",
    "Add JSDoc comments to the public functions",
    "Document how to fix build errors",
  ],
  architecture: [
    "Design the plugin system",
    "Propose an architecture for offline sync",
    "Write an ADR about the queue",
    "Define the architecture of the billing service",
    "Design the database schema for orders",
  ],
  performance: [
    "Optimize database queries",
    "Optimise the start-up time",
    "Speed up the test suite",
    "Improve performance of the dashboard",
    "Fix slow dashboard query",
    "Reduce latency of the search endpoint",
    "Make the build faster",
  ],
  research: [
    "Research vector databases",
    "Investigate why the cache misses",
    "Compare Redis and Memcached",
    "Evaluate migration to Bun",
    "Explore options for full-text search",
    "Spike: can we use WebGPU?",
  ],
  general: [
    "Run the latest contest inspection",
    "Bump version to 2.0.1",
    "Deploy to production",
    "Specific greetings for visitors",
    "Inspect the attestation",
    "Redesignate the prefixes",
    "Update dependencies",
    "",
    "数据库",
  ],
};

const cases = Object.entries(objectives).flatMap(([type, list]) =>
  list.map((objective) => ({ type, objective })),
);

describe("the type of a task", () => {
  it.each(cases)("of $objective is $type", ({ objective, type }) => {
    expect(classifyTask(objective)).toBe(type);
  });

  it("does not depend on case", () => {
    for (const { objective, type } of cases) expect(classifyTask(objective.toUpperCase())).toBe(type);
  });
});

describe("the type of a task in the cross-task format", () => {
  it.each([
    ["test-fix", "testing"],
    ["feature", "implementation"],
    ["bug-fix", "debugging"],
    ["refactor", "refactoring"],
    ["performance", "refactoring"],
    ["documentation", "documentation"],
    ["architecture", "architecture"],
    ["research", "research"],
    ["general", undefined],
  ] as const)("of %s is %s", (type, other) => {
    expect(crossTaskType(type)).toBe(other);
  });
});
