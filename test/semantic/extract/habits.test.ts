import { describe, expect, it } from "vitest";
import { taskWays } from "../../../src/semantic/extract/habits.js";

/** The statements of a task that changed these files, without counts. */
function waysOf(files: string[]): string[] {
  const found = taskWays({
    task_id: "task-001",
    objective: "Round the totals",
    ended: "2026-01-01T00:00:00.000Z",
    succeeded: true,
    statements: [],
    problems: [],
    episodes: ["task-001/1"],
    files,
    commands: [],
    isSession: false,
    prompts: [],
    loop: { loopId: "task-001", objective: "", status: "completed", iterations: [] },
  });
  return found
    .map(({ content }) => (content.pattern ?? "").replace(/ \(\d+ of \d+\)$/, ""))
    .filter((pattern) => pattern !== "No rule found");
}

describe("the files of a task", () => {
  it.each([
    [["src/cart/total.test.ts"], "Tests lie beside their source as *.test.ts"],
    [["packages/cart/test/total.spec.js"], "Tests are in test/ as *.spec.js"],
    [["src/cart/__tests__/total.test.tsx"], "Tests are in __tests__/ as *.test.tsx"],
    [["tests/unit/test_total.py"], "Tests are in tests/ as test_*.py"],
    [["shop/total_test.py"], "Tests lie beside their source as *_test.py"],
    [["spec/models/invoice_spec.rb"], "Tests are in spec/ as *_spec.rb"],
    [["./src/read-file.ts"], "Files are named in kebab-case: *.ts"],
    [["src\\\\readFile.js"], "Files are named in camelCase: *.js"],
    [["src/read_file.mjs"], "Files are named in snake_case: *.mjs"],
    [["src/user-card.tsx"], "Files are named in kebab-case: *.tsx"],
    [["db/migrations/20260114_add_refs.sql"], "Migrations are named YYYYMMDD_name.sql"],
    [["db/migrations/0007-add-refs.ts"], "Migrations are named NNNN-name.ts"],
  ])("%j show: %s", (files, sentence) => {
    expect(waysOf(files)).toEqual([sentence]);
  });

  it.each([
    ["what the language decides", ["cart/total_test.go", "src/test/java/CartTest.java", "tests/cart.rs"]],
    ["the usual names of a language", ["src/read_file.py", "src/UserCard.tsx", "app/models/line_item.rb"]],
    ["the migrations that a framework numbers", ["db/migrate/20260114101500_add_refs.rb"]],
    ["names of one word", ["src/cart.ts", "README.md", "package.json", "Makefile"]],
    ["files of others", ["node_modules/left-pad/left-pad.test.js", "/tmp/out-file.ts", "../other/a-b.ts"]],
  ])("show nothing by %s", (_what, files) => {
    expect(waysOf(files)).toEqual([]);
  });
});
