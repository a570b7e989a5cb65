import { describe, expect, it } from "vitest";
import { taskWays } from "../../../src/semantic/extract/habits.js";

/** The statements of a task that changed these files and ran these commands, without counts. */
function waysOf(files: string[], commands: string[] = []): string[] {
  const found = taskWays({
    task_id: "task-001",
    objective: "Round the totals",
    ended: "2026-01-01T00:00:00.000Z",
    succeeded: true,
    statements: [],
    problems: [],
    episodes: ["task-001/1"],
    files,
    commands,
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

describe("the commands of a task", () => {
  it.each([
    ["pnpm test", "Use pnpm, not npm"],
    ["cd apps/api && CI=1 yarn vitest run", "Use yarn, not npm"],
    ["poetry run pytest -q tests/unit", "Python tools run through `poetry run`"],
    [".venv/bin/pytest -q", "Python tools run through `.venv/bin/`"],
    ["docker compose exec -T web pytest -q", "Python tools run in a container: `docker compose exec web`"],
    ["docker compose run --rm web rspec", "Ruby tools run in a container: `docker compose run web`"],
    ["bundle exec rake db:seed", "Ruby tools run through `bundle exec`"],
    ["bin/rails db:migrate", "Ruby tools run through `bin/`"],
    ["./gradlew :app:assemble", "Gradle runs as `./gradlew`"],
    ["make -j4 check", "The check is `make check`"],
    ["just test", "The check is `just test`"],
    ["./scripts/check.sh --fast", "The check is `./scripts/check.sh`"],
  ])("%s shows: %s", (command, sentence) => {
    expect(waysOf([], [command])).toEqual([sentence]);
  });

  it.each([
    "npm test",
    "npx vitest run",
    "pytest -q",
    "go test ./...",
    "git status",
    "ls src | head",
    "make",
  ])("%s shows nothing", (command) => {
    expect(waysOf([], [command])).toEqual([]);
  });

  it("end with the check that counts", () => {
    expect(waysOf([], ["make lint", "make check", "git push"])).toEqual(["The check is `make check`"]);
  });

  it.each([
    [`git commit -m "fix(cart): round once"`, "Commit messages follow Conventional Commits"],
    [`git add -A && git commit -am 'feat!: drop v1'`, "Commit messages follow Conventional Commits"],
    [
      `git commit -m "$(cat <<'EOF'\nchore: bump the image\n\nBecause of the CVE.\nEOF\n)"`,
      "Commit messages follow Conventional Commits",
    ],
    [`git commit --message="SHOP-12 Round once"`, "Commit messages start with a ticket number"],
  ])("%s shows: %s", (command, sentence) => {
    expect(waysOf([], [command])).toEqual([sentence]);
  });

  it.each([`git commit -m "Round once"`, `git commit --amend --no-edit`, `git log --grep "fix: "`])(
    "%s shows no style of messages",
    (command) => {
      expect(waysOf([], [command])).toEqual([]);
    },
  );
});
