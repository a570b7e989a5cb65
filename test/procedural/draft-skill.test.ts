import { describe, expect, it } from "vitest";
import type { Action } from "../../src/domain/tasks/action.js";
import { reviewWork } from "../../src/episodic/resolutions/resolve-errors.js";
import { skillsUsedIn } from "../../src/memory/skills/count-skill-uses.js";
import { type AttemptRecord, type DraftSource, draftSkill } from "../../src/procedural/draft-skill.js";

const action = (tool: string, params: object, over: Partial<Action> = {}): Action => ({
  timestamp: "2026-01-06T10:30:00.000Z",
  iteration: 1,
  tool,
  params: params as Record<string, unknown>,
  success: true,
  ...over,
});

const attempt = (id: number, over: Partial<AttemptRecord>): AttemptRecord => ({
  id,
  task_id: "task-042",
  started: "2026-01-06T10:30:00.000Z",
  plan: { approach: "", steps: [] },
  context: { goal: "", constraints: [], files_involved: [] },
  execution: { iterations: 1, actions_performed: 0, quality_history: [] },
  errors_encountered: [],
  artifacts_produced: [],
  actions: [],
  ...over,
});

const success = {
  status: "success" as const,
  what_worked: [],
  what_didnt_work: [],
  suggestions_for_next_time: [],
};

const task = (over: Partial<DraftSource>): DraftSource => ({
  id: "task-042",
  uuid: "00000000-0000-4000-8000-000000000000",
  description: "Implement POST /api/todos endpoint",
  completion_criteria: "contract tests pass",
  created: "2026-01-06T10:30:00.000Z",
  updated: "2026-01-06T10:36:00.000Z",
  status: "completed",
  current_attempt: 2,
  total_attempts: 2,
  tags: [],
  related_tasks: [],
  constraints: ["No third-party deps"],
  attempts: [],
  ...over,
});

const draft = (source: DraftSource, root = "/w", name?: string) =>
  draftSkill(source, {
    root,
    name,
    ...reviewWork(source.attempts.map((each) => ({ ...each, results: [] }))),
  });

describe("drafting a skill", () => {
  const whole = task({
    attempts: [
      attempt(1, {
        outcome: { ...success, status: "failure" },
        errors_encountered: [
          {
            type: "TS7010",
            message: "src/routes/todos.ts: Missing return type annotation",
            resolution: "Added explicit :void to route handler",
          },
          { type: "other", message: "never resolved" },
        ],
      }),
      attempt(2, {
        outcome: success,
        actions: [
          action("Read", { file_path: "/project/app/openapi.yaml" }),
          action("Read", { file_path: "/project/app/src/db/client.ts" }),
          action("Grep", { pattern: "x" }),
          action("TodoWrite", {}),
          action(
            "Write",
            { file_path: "/project/app/src/routes/todos.ts" },
            { reasoning: "The todos handler" },
          ),
          action("Bash", { command: "npm test -- todos" }, { success: false }),
          action("Edit", { file_path: "/project/app/src/routes/todos.ts" }, { reasoning: "Return type" }),
          action("Bash", { command: "npm test -- todos" }),
          action("Write", { file_path: "/project/app/tests/todos.test.ts" }),
          action("Edit", { file_path: "/project/app/src/locales/de.json" }),
          action("Edit", { file_path: "/project/app/src/locales/fr.json" }),
          action("Bash", { command: "npm test -- todos" }),
        ],
      }),
    ],
  });

  it("generalises the steps that worked, with errors, exit criteria and sources", () => {
    expect(draft(whole, "/project/app")).toEqual({
      name: "implement-post-api-todos-endpoint",
      title: "Implement POST /api/{name} endpoint",
      description:
        "Implement POST /api/{name} endpoint. For example: Implement POST /api/todos endpoint. Use it for similar tasks.",
      prerequisites: ["openapi.yaml exists", "src/db/client.ts exists"],
      steps: [
        "Read openapi.yaml, src/db/client.ts",
        "Edit src/routes/{name}.ts: The {name} handler; Return type",
        "Edit tests/{name}.test.ts",
        "Edit src/locales/{file}.json",
        "Run `npm test -- {name}`",
      ],
      common_errors: [
        { error: "Missing return type annotation", fix: "Added explicit :void to route handler" },
      ],
      exit_criteria: ["contract tests pass", "`npm test -- {name}` passes", "No third-party deps"],
      metadata: { "drafted-from": "task-042", attempts: "task-042/1 task-042/2", succeeded: "task-042/2" },
    });
  });

  it("redacts secrets", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const actions = [action("Bash", { command: `curl -X POST -H "token: ${secret}" x.test` })];
    const drafted = draft(task({ attempts: [attempt(1, { outcome: success, actions })] }));
    expect(JSON.stringify(drafted)).not.toContain(secret);
  });

  it.each<[string, Partial<DraftSource>, string | undefined, RegExp]>([
    ["of a failed task", { status: "failed" }, undefined, /task-042 has not succeeded: its status is failed/],
    [
      "without actions",
      { attempts: [attempt(1, { outcome: success })] },
      undefined,
      /has no recorded actions/,
    ],
    ["with a path for a name", { attempts: whole.attempts }, "../up", /Invalid skill name/],
    [
      "without letters to name it",
      { description: "?!", attempts: whole.attempts },
      undefined,
      /Invalid skill name/,
    ],
  ])("throws %s", (_why, over, name, reason) => {
    expect(() => draft(task(over), "/project/app", name)).toThrow(reason);
  });

  const bash = (command: string, isSuccess = true, error?: string) =>
    action("Bash", { command }, { success: isSuccess, ...(error !== undefined && { error }) });
  const draftOf = (actions: Action[], over: Partial<DraftSource> = {}, before: Action[] = []) =>
    draft(
      task({
        constraints: [],
        ...over,
        attempts: [
          attempt(1, { outcome: { ...success, status: "failure" }, actions: before }),
          attempt(2, { outcome: success, actions }),
        ],
      }),
    );

  it.each<[string, Action[], Action[], string]>([
    [
      "the command that failed before",
      [bash("npm test", false), bash("npm test"), bash("npm run build"), bash('git commit -m "add tests"')],
      [],
      "npm test",
    ],
    [
      "one that failed in another attempt",
      [bash("make e2e"), bash("npm run lint")],
      [bash("make e2e", false)],
      "make e2e",
    ],
    [
      "a check, where others failed, too",
      [bash("npm i jest", false), bash("go test ./...", false), bash("go test ./..."), bash("npm i jest")],
      [],
      "go test ./...",
    ],
    [
      "the last check, when none failed",
      [bash("CI=1 npx vitest run"), bash("cat test.log"), bash("rm -rf build"), bash("npm install vitest")],
      [],
      "CI=1 npx vitest run",
    ],
    [
      "no service, even if its start failed first",
      [bash("docker compose up -d db", false), bash("docker compose up -d db"), bash("npm run lint")],
      [],
      "npm run lint",
    ],
    [
      "a build that failed, when nothing else was checked",
      [bash("docker build .", false), bash("docker build .")],
      [],
      "docker build .",
    ],
    [
      "no command that failed in the end",
      [bash("npm test"), bash("npm run lint"), bash("npm test", false)],
      [],
      "npm run lint",
    ],
  ])("uses as the exit criterion %s", (_what, actions, before, command) => {
    const { exit_criteria: criteria } = draftOf(actions, { completion_criteria: "It works" }, before);
    expect(criteria).toEqual(["It works", `\`${command}\` passes`]);
  });

  it("uses the objective as the exit criterion when nothing was checked", () => {
    const over = { completion_criteria: "It works" };
    expect(draftOf([bash("git push"), bash("npm i jest")], over).exit_criteria).toEqual(["It works"]);
  });

  it("resolves an error by the edits until the same command passed, across attempts", () => {
    const edit = (path: string, reasoning: string) => action("Edit", { file_path: path }, { reasoning });
    const errors = draftOf(
      [edit("b.ts", "Return a value"), bash("npx tsc"), edit("c.ts", "Something else"), bash("npm test")],
      {},
      [
        edit("a.ts", "Too early"),
        bash("npx tsc", false, "b.ts(3,7): error TS7010: lacks a type"),
        bash("deploy", false, "error: connection refused"),
      ],
    ).common_errors;
    expect(errors).toEqual([{ error: "`TS7010: lacks a type`", fix: "Return a value (edit b.ts)" }]);
  });

  it("takes its steps from all attempts, without what did not help and without looking around", () => {
    const refused = "Error: connect ECONNREFUSED 127.0.0.1:5432";
    const edit = (path: string) => action("Edit", { file_path: path, old_string: "a", new_string: "b" });
    const {
      steps,
      common_errors: errors,
      exit_criteria: criteria,
    } = draftOf(
      [
        bash("docker compose ps"),
        bash("docker compose up -d db"),
        action("Read", { file_path: "src/log.ts" }),
        bash("npm test 2>&1 | tail -20"),
        bash("npm run build"),
      ],
      { completion_criteria: "" },
      [
        action("Read", { file_path: "docs/schema.md" }),
        edit("src/orders.ts"),
        bash("git status"),
        bash("npm test", false, refused),
        edit("src/db/pool.ts"),
        bash("npm test", false, refused),
      ],
    );
    expect(steps).toEqual([
      "Read docs/schema.md",
      "Edit src/orders.ts",
      "Run `docker compose up -d db`",
      "Run `npm test`",
      "Run `npm run build`",
    ]);
    expect(errors).toEqual([
      { error: "`connect ECONNREFUSED 127.0.0.1:5432`", fix: "run `docker compose up -d db`" },
    ]);
    expect(criteria).toEqual(["`npm test` passes"]);
  });

  it("tells errors without the test and the line, and none that only compares values", () => {
    const output = " FAIL  test/cart.test.ts > cart > adds\nTypeError: price.toFixed is not a function\n";
    const values = " FAIL  test/cart.test.ts > cart > adds\nAssertionError: expected 3 to be 4\n";
    const edit = (text: string) =>
      action("Edit", { file_path: "src/cart.ts", old_string: "price", new_string: text });
    const { common_errors: errors } = draftOf([
      bash("npx vitest run", false, output),
      edit("Number(price)"),
      bash("npx vitest run", false, values),
      edit("Number(price) + 1"),
      bash("npx vitest run"),
    ]);
    expect(errors.map(({ error }) => error)).toEqual(["`TypeError: price.toFixed is not a function`"]);
  });

  it("has at most twenty steps, and the last one among them", () => {
    const actions = Array.from({ length: 30 }, (_, index) => bash(`make part-${"x".repeat(index + 1)}`));
    const { steps } = draftOf([...actions, bash("npm test")]);
    expect(steps).toHaveLength(20);
    expect(steps.at(-1)).toBe("Run `npm test`");
  });

  it("contains no control characters and cuts at words", () => {
    const reasoning = `\u001b[31mred\u001b[0m \u202e${"word ".repeat(100)}`;
    const actions = [action("Edit", { file_path: "a.ts" }, { reasoning })];
    const drafted = draftOf(actions, { description: `Clear \u0007 the bell ${"again ".repeat(300)}` });
    expect(JSON.stringify(drafted)).not.toMatch(/\\u00|\u202e/);
    expect(drafted.steps[0]).toMatch(/^Edit a.ts: \ufffd\[31mred\ufffd\[0m \ufffdword (?:word )+word…$/);
    expect(drafted.description).toMatch(/^Clear \ufffd the bell (?:again )+again…\. Use it for/);
  });

  it.each([
    ["Fix the résumé’s naïve parser", "fix-resume-naive-parser"],
    ["Don't retry failed uploads", "retry-failed-uploads"],
    [
      "Add rate limiting to the API gateway with a sliding window in Redis",
      "add-rate-limiting-api-gateway-sliding",
    ],
    [
      `Internationalisation ${"deinstitutionalisation ".repeat(5)}`,
      "internationalisation-deinstitutionalisation",
    ],
    ["x".repeat(70), "x".repeat(64)],
  ])("is named after the first significant words: %s", (description, name) => {
    expect(draftOf([bash("make")], { description }).name).toBe(name);
  });
});

describe("uses of skills", () => {
  it("are reads of its file, calls of the skill tool, and mentions", () => {
    const used = skillsUsedIn([
      action("Read", { file_path: "/p/.agent/skills/read-one/SKILL.md" }),
      action("Bash", { command: "cat .claude/skills/cat-one/SKILL.md | head" }),
      action("Skill", { skill: "called-one" }),
      action("Bash", { command: "make" }, { reasoning: "As [skill: said-one] tells" }),
    ]);
    expect(used).toEqual(["called-one", "cat-one", "read-one", "said-one"]);
  });

  it("are not edits, failures, or tool output", () => {
    const used = skillsUsedIn([
      action("Edit", { file_path: ".agent/skills/a/SKILL.md", new_string: "[skill: b]" }),
      action("Read", { file_path: ".agent/skills/c/SKILL.md" }, { success: false }),
      action("Bash", { command: "ralph recall x" }, { output: "- [skill: d] .agent/skills/d/SKILL.md" }),
      action("Skill", { skill: "../e" }),
      action("Read", { file_path: "docs/skills/f/SKILL.md" }),
    ]);
    expect(used).toEqual([]);
  });
});
