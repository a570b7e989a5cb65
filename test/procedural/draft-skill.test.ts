import { describe, expect, it } from "vitest";
import type { Action } from "../../src/domain/action.js";
import { type AttemptRecord, type DraftSource, draftSkill } from "../../src/procedural/draft-skill.js";
import { skillsUsedIn } from "../../src/procedural/skill-uses.js";

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
          action("Read", { file_path: "/work/app/openapi.yaml" }),
          action("Read", { file_path: "/work/app/src/db/client.ts" }),
          action("Grep", { pattern: "x" }),
          action("TodoWrite", {}),
          action("Write", { file_path: "/work/app/src/routes/todos.ts" }, { reasoning: "The todos handler" }),
          action("Bash", { command: "npm test -- todos" }, { success: false }),
          action("Edit", { file_path: "/work/app/src/routes/todos.ts" }, { reasoning: "Return type" }),
          action("Bash", { command: "npm test -- todos" }),
          action("Write", { file_path: "/work/app/tests/todos.test.ts" }),
          action("Edit", { file_path: "/work/app/src/locales/de.json" }),
          action("Edit", { file_path: "/work/app/src/locales/fr.json" }),
          action("Bash", { command: "npm test -- todos" }),
        ],
      }),
    ],
  });

  it("takes the steps that worked, in general, with errors, exit criteria and evidence", () => {
    expect(draftSkill(whole, { root: "/work/app" })).toEqual({
      name: "implement-post-api-todos-endpoint",
      title: "Implement POST /api/{name} endpoint",
      description:
        "Implement POST /api/{name} endpoint. For example: Implement POST /api/todos endpoint. Use for tasks of this kind.",
      prerequisites: ["openapi.yaml exists", "src/db/client.ts exists"],
      steps: [
        "Read openapi.yaml, src/db/client.ts",
        "Edit src/routes/{name}.ts: The {name} handler; Return type",
        "Edit tests/{name}.test.ts",
        "Edit src/locales/{file}.json",
        "Run `npm test -- {name}`",
      ],
      common_errors: [
        {
          error: "`src/routes/{name}.ts: Missing return type annotation`",
          fix: "Added explicit :void to route handler",
        },
      ],
      exit_criteria: ["contract tests pass", "`npm test -- {name}` passes", "No third-party deps"],
      metadata: {
        "drafted-from": "task-042",
        attempts: "task-042/1 task-042/2",
        succeeded: "task-042/2",
      },
    });
  });

  it("takes no secret along", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const actions = [action("Bash", { command: `curl -H "token: ${secret}" x.test` })];
    const drafted = draftSkill(task({ attempts: [attempt(1, { outcome: success, actions })] }), {
      root: "/w",
    });
    expect(JSON.stringify(drafted)).not.toContain(secret);
  });

  it.each<[string, Partial<DraftSource>, string | undefined, RegExp]>([
    ["of a failed task", { status: "failed" }, undefined, /task-042 has not succeeded: it is failed/],
    [
      "without actions",
      { attempts: [attempt(1, { outcome: success })] },
      undefined,
      /no record of what was done/,
    ],
    ["with a path for a name", { attempts: whole.attempts }, "../up", /Not the name of a skill/],
    [
      "without letters to name it",
      { description: "?!", attempts: whole.attempts },
      undefined,
      /Not the name/,
    ],
  ])("refuses one %s", (_why, over, name, reason) => {
    expect(() => draftSkill(task(over), { root: "/work/app", name })).toThrow(reason);
  });
});

describe("uses of skills", () => {
  it("are readings of its file, calls of the tool, and mentions", () => {
    const used = skillsUsedIn([
      action("Read", { file_path: "/p/.agent/skills/read-one/SKILL.md" }),
      action("Bash", { command: "cat .claude/skills/cat-one/SKILL.md | head" }),
      action("Skill", { skill: "called-one" }),
      action("Bash", { command: "make" }, { reasoning: "As [skill: said-one] tells" }),
    ]);
    expect(used).toEqual(["called-one", "cat-one", "read-one", "said-one"]);
  });

  it("are not edits, failures, or what a tool printed", () => {
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
