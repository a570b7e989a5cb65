import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

let cwd: string;
const ralph = (args: string[], input = "") => runRalph(args, { cwd, input });
const json = async (args: string[], input = "") => {
  const { stdout, stderr } = await ralph([...args, "--json"], input);
  return JSON.parse(stdout || JSON.stringify(stderr));
};
const lines = (...entries: object[]) => entries.map((entry) => JSON.stringify(entry)).join("\n");

beforeEach(() => {
  cwd = scratchRepository();
});

async function recordTask(description: string, outcome: string, log: string): Promise<string> {
  const { task_id: id } = await json(["task", "init", description, "--criteria", "npm test passes"]);
  await ralph(["task", "start", id]);
  await ralph(["task", "log", id], log);
  await ralph(["task", "complete", id, "--outcome", outcome]);
  return id;
}

describe("ralph skill", () => {
  it("drafts a skill from a recorded task, installs it on request, finds it, and counts its uses", async () => {
    const id = await recordTask(
      "Implement the invoices endpoint",
      "success",
      lines(
        { tool: "Read", params: { file_path: join(cwd, "openapi.yaml") } },
        {
          tool: "Write",
          params: { file_path: join(cwd, "src/routes/invoices.ts") },
          reasoning: "Add the handler",
        },
        {
          tool: "Bash",
          params: { command: "npm test" },
          success: false,
          error: "src/routes/invoices.ts(3,7): error TS7010: lacks return-type annotation",
        },
        {
          tool: "Edit",
          params: { file_path: join(cwd, "src/routes/invoices.ts") },
          reasoning: "Add a return type",
        },
        { tool: "Bash", params: { command: "npm test" } },
      ),
    );
    const draft = await json(["skill", "draft", id, "--name", "api-endpoint"]);
    const path = join(cwd, ".agent/skills-drafts/api-endpoint/SKILL.md");
    expect(draft).toMatchObject({
      path,
      existing: false,
      prerequisites: ["openapi.yaml exists"],
      steps: [
        "Read openapi.yaml",
        "Edit src/routes/{name}.ts: Add the handler; Add a return type",
        "Run `npm test`",
      ],
      common_errors: [
        { error: expect.stringContaining("TS7010"), fix: expect.stringContaining("Add a return type") },
      ],
      exit_criteria: ["npm test passes", "`npm test` passes"],
      metadata: { "drafted-from": id, succeeded: `${id}/1` },
    });
    expect(await json(["skill", "list"])).toEqual([]);
    expect(await json(["skill", "draft", id, "--name", "api-endpoint"])).toMatchObject({ existing: true });
    const edited = readFileSync(path, "utf8").replace("# Skill:", "# Skill: Better:");
    writeFileSync(path, edited);
    const again = await ralph(["skill", "draft", id, "--name", "api-endpoint"]);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining("Another draft has this name")]);
    expect(readFileSync(path, "utf8")).toBe(edited);

    expect((await ralph(["skill", "add", "api-endpoint"])).stdout).toMatch(
      /^Skill installed: .*api-endpoint\/SKILL.md\n$/,
    );
    expect((await ralph(["skill", "show", "api-endpoint", "--format", "markdown"])).stdout).toBe(edited);
    expect(existsSync(join(cwd, ".agent/skills-drafts/api-endpoint"))).toBe(false);

    const third = await ralph(["skill", "draft", id, "--name", "api-endpoint"]);
    expect(third.stderr).toMatch(
      /^Note: the skill api-endpoint is already installed: .*skills\/api-endpoint\n$/,
    );
    expect(third.stdout).toContain("ralph skill add api-endpoint --force\n");
    await ralph(["skill", "add", "api-endpoint", "--force"]);
    writeFileSync(join(cwd, ".agent/skills/api-endpoint/SKILL.md"), edited);

    const read = { tool: "Read", params: { file_path: join(cwd, ".agent/skills/api-endpoint/SKILL.md") } };
    await recordTask("Implement the users endpoint", "success", lines(read));
    await recordTask(
      "Implement the roles endpoint",
      "failure",
      lines({ tool: "Skill", params: { skill: "api-endpoint" } }),
    );
    await recordTask("Something else", "success", lines({ tool: "Bash", params: { command: "ls" } }));
    expect(await json(["skill", "list"])).toMatchObject([{ name: "api-endpoint", uses: 2, successes: 1 }]);
    expect((await json(["skill", "show", "api-endpoint"])).history).toMatchObject([
      { task_id: "task-003", attempt_id: 1, succeeded: false },
      { task_id: "task-002", attempt_id: 1, succeeded: true },
    ]);
    expect(await json(["skill", "match", "implementing an endpoint for payments"])).toMatchObject([
      { name: "api-endpoint", matched: ["implementing", "endpoint"] },
    ]);
    expect((await ralph(["skill", "list"])).stdout).toMatch(/api-endpoint {2}1 of 2/);
    const linked = await ralph(["skill", "link", "--to", ".claude/skills", "--to", ".agents/skills"]);
    expect([linked.status, linked.stdout.match(/^linked: /gm)]).toEqual([0, ["linked: ", "linked: "]]);
    expect(readFileSync(join(cwd, ".agents/skills/api-endpoint/SKILL.md"), "utf8")).toBe(edited);
  });

  it("lists and shows what is usable, warns of the rest, and leaves no trace", async () => {
    mkdirSync(join(cwd, ".agent/skills/bad"), { recursive: true });
    writeFileSync(join(cwd, ".agent/skills/bad/SKILL.md"), "---\nname: [\n---\n");
    const listed = await ralph(["skill", "list"]);
    expect([listed.status, listed.stdout]).toEqual([0, ""]);
    expect(listed.stderr).toMatch(/^Warning: .*bad\/SKILL.md: The front matter is not YAML.*; skipped\n/);
    expect((await ralph(["skill", "match", "x"])).stderr).toContain("No matching skills");
    expect(existsSync(join(cwd, ".ralph"))).toBe(false);
  });

  it.each<[string[], number, RegExp]>([
    [["skill", "show", "../x"], 2, /Invalid skill name/],
    [["skill", "show", "nothing"], 1, /Skill not found: nothing/],
    [["skill", "add", "nothing"], 1, /No such file or folder/],
    [["skill", "draft", "task-009"], 1, /Task not found: task-009/],
    [["skill", "match", " "], 2, /The objective is empty/],
    [["skill", "link", "--to", "../x"], 2, /--to must be a folder inside the project/],
  ])("refuses %j", async (args, status, message) => {
    const result = await ralph(args);
    expect([result.status, result.stdout]).toEqual([status, ""]);
    expect(result.stderr).toMatch(message);
    expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(existsSync(join(cwd, ".agent"))).toBe(false);
  });

  it("does not draft from a task that failed", async () => {
    const id = await recordTask("Fail", "failure", lines({ tool: "Bash", params: { command: "ls" } }));
    const { status, stderr } = await ralph(["skill", "draft", id]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`${id} has not succeeded`)]);
  });
});
