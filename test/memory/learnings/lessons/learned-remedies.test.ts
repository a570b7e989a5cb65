import { describe, expect, it } from "vitest";
import type { Learning } from "../../../../src/domain/knowledge/learning.js";
import type { Memory } from "../../../../src/memory/memory.js";
import { openScratchMemory, tscOutput } from "../../../support/open-scratch-memory.js";
import { logged, recordTask } from "../../../support/record-task.js";

const { fails, runs, edits } = logged;
const refused = "Error: connect ECONNREFUSED 127.0.0.1:5432";
const startDatabase = runs("docker compose up -d db");
const mistakes = async (memory: Memory): Promise<Learning[]> =>
  (await memory.learnings.list()).filter(({ type }) => type === "antipattern");

/** Each mistake with its remedy. */
const remedies = async (memory: Memory) =>
  Object.fromEntries(
    (await mistakes(memory)).map(({ content }) => [content.why, content.prevention ?? "none"]),
  );

describe("the remedy that is learned for a failure", () => {
  it("stays the right one when another failure of the same command is solved after it", async () => {
    const memory = await openScratchMemory();
    const solved = [fails("npm test", refused), startDatabase, runs("npm test")];
    await recordTask(memory, "Fix failing database tests", { actions: solved });
    await recordTask(memory, "Fix failing database tests 2", { actions: solved });
    await recordTask(memory, "Fix failing database tests 3", {
      actions: [
        fails("npm test", refused),
        startDatabase,
        fails("npm test", 'error: relation "parcels" already exists'),
        edits("scripts/migrate.ts", "create table", "create table if not exists"),
        runs("npm test"),
      ],
    });
    expect(await remedies(memory)).toEqual({
      "connect ECONNREFUSED 127.0.0.1:5432": "run `docker compose up -d db`",
      'relation "parcels" already exists':
        "change `create table` to `create table if not exists` in scripts/migrate.ts",
    });
    for (const { content, correct_approach: approach } of await mistakes(memory))
      expect(approach).toBe(content.prevention);
    const { text } = await memory.recall({ objective: "Fix failing database tests 4", errors: [refused] });
    expect(text).toContain("ECONNREFUSED 127.0.0.1:5432 → run `docker compose up -d db`");
    expect(text).not.toMatch(/ECONNREFUSED[^\n]*migrate/);
  });

  it.each([
    ["npm test && git commit -am 'fix total'", "change `sum - tax` to `sum + tax` in src/cart.js"],
    ["npm test && npm publish", "change `sum - tax` to `sum + tax` in src/cart.js"],
    ["git add -A && npm test", "change `sum - tax` to `sum + tax` in src/cart.js"],
    ["npm run migrate && npm test", /then run `npm run migrate`$/],
  ])("is not what a line does after its check, nor what only records it: %s", async (line, remedy) => {
    const memory = await openScratchMemory();
    await recordTask(memory, "Add taxes to the cart", {
      actions: [
        fails("npm test", "Error: the total is too low"),
        edits("src/cart.js", "sum - tax", "sum + tax"),
        runs(line),
      ],
    });
    const told = (await remedies(memory))["the total is too low"];
    expect(told).toEqual(typeof remedy === "string" ? remedy : expect.stringMatching(remedy));
  });

  it("is the same check with variables of a file, if that is all that was changed", async () => {
    const memory = await openScratchMemory();
    const unset = "Error: The SECRET_KEY setting must not be empty";
    await recordTask(memory, "Round invoices half up", {
      actions: [fails("npm test", unset), runs("set -a; source .env; npm test")],
    });
    expect(await remedies(memory)).toEqual({
      "The SECRET_KEY setting must not be empty": "run `set -a; source .env; npm test`",
    });
  });

  it.each([
    ["no edit that has nothing to do with it", ["let total = 0;", "let total = offset;"], "none"],
    [
      "an edit of how long it is waited",
      ["get(url)", "get(url, { timeout: 60_000 })"],
      "change `get(url)` to `get(url, { timeout: 60_000 })` in src/upload.js",
    ],
  ])("of the network is %s", async (_, [before = "", after = ""], remedy) => {
    const memory = await openScratchMemory();
    const late = "Error: connect ETIMEDOUT 10.0.0.7:443";
    for (const task of ["Upload the reports to the archive", "Upload the invoices to the archive"])
      await recordTask(memory, task, {
        actions: [fails("npm test", late), edits("src/upload.js", before, after), runs("npm test")],
      });
    expect(Object.values(await remedies(memory))).toEqual(remedy === "none" ? [] : [remedy]);
    const facts = await memory.learnings.list({ type: "fact" });
    expect(facts).toHaveLength(remedy === "none" ? 1 : 0);
  });

  it("is what worked in the third attempt, after two that failed alike", async () => {
    const memory = await openScratchMemory();
    const worked = "Convert the query parameter with Number() first";
    const failing = { end: { outcome: "failure" as const, output: tscOutput("src/page.ts", 3) } };
    await recordTask(memory, "Parse the page size", failing, failing, { end: { whatWorked: [worked] } });
    expect(await mistakes(memory)).toMatchObject([
      { failure_key: "TS2322", content: { prevention: worked }, correct_approach: worked },
    ]);
  });

  it("is what somebody said where the actions only name a file", async () => {
    const memory = await openScratchMemory();
    const worked = "Close the pool in afterAll()";
    await recordTask(memory, "Fix the hanging tests", {
      actions: [fails("npm test", "Error: worker did not exit"), edits("test/setup.ts"), runs("npm test")],
      end: { whatWorked: [worked] },
    });
    expect(Object.values(await remedies(memory))).toEqual([worked]);
  });

  it("is none for a failure that went away by itself, which is a fact once two tasks saw it", async () => {
    const memory = await openScratchMemory();
    const actions = [fails("npm test", "Error: socket hang up at the ledger"), runs("npm test")];
    await recordTask(memory, "Add a parcel size", { actions });
    expect(await memory.learnings.list()).toEqual([]);
    await recordTask(memory, "Rename the depot", { actions });
    expect(await memory.learnings.list()).toMatchObject([
      {
        type: "fact",
        category: "flaky",
        content: { description: expect.stringContaining("socket hang up") },
      },
    ]);
  });

  it("is not what was tried in vain in an earlier attempt, in a skill draft neither", async () => {
    const memory = await openScratchMemory();
    const id = await recordTask(
      memory,
      "Fix failing database tests",
      {
        actions: [fails("npm test", refused), edits("src/db/pool.ts"), fails("npm test", refused)],
        end: { outcome: "failure" },
      },
      { actions: [startDatabase, runs("npm test")] },
    );
    expect(await mistakes(memory)).toMatchObject([
      { content: { prevention: "run `docker compose up -d db`" }, incorrect_approach: "edit src/db/pool.ts" },
    ]);
    const { skill } = await memory.skills.draft(id);
    expect(skill).toMatchObject({
      steps: ["Run `docker compose up -d db`", "Run `npm test`"],
      common_errors: [{ fix: "run `docker compose up -d db`" }],
      exit_criteria: ["`npm test` passes"],
    });
  });

  it("is given up for another one when it was tried again in vain", async () => {
    const now = { value: "2026-02-01T08:00:00.000Z" };
    const memory = await openScratchMemory({ now });
    const full = "Error: no space left on device";
    await recordTask(memory, "Build the images", {
      actions: [fails("make images", full), runs("docker image prune -f"), runs("make images")],
    });
    now.value = "2026-02-09T08:00:00.000Z";
    await recordTask(memory, "Build the labels", {
      actions: [
        fails("make images", full),
        runs("docker image prune -f"),
        fails("make images", full),
        runs("docker volume prune -f"),
        runs("make images"),
      ],
    });
    expect(await remedies(memory)).toEqual({ "no space left on device": "run `docker volume prune -f`" });
  });
});

describe("a lesson", () => {
  it("is one for the same failure in several files, whatever the kind of task", async () => {
    const memory = await openScratchMemory();
    for (const [index, name] of ["parcels", "labels", "users", "notes"].entries())
      await recordTask(memory, `Implement GET /api/${name} endpoint`, {
        actions: [
          fails(
            "npx tsc",
            `src/${name}.ts(${index + 3},5): error TS7030: Not all code paths return a value.`,
          ),
          edits(`src/${name}.ts`, "async (req, res) => {", "async (req, res): Promise<void> => {"),
          runs("npx tsc"),
        ],
      });
    const tasks = ["Fix failing migration tests", "Add a labels table", "Refactor the migration script"];
    for (const [index, description] of tasks.entries())
      await recordTask(memory, description, {
        actions: [
          fails("npm run migrate", `error: relation "${["a", "b", "c"][index]}" already exists`),
          edits("scripts/migrate.ts", "create table", "create table if not exists"),
          runs("npm run migrate"),
        ],
      });
    const found = (await mistakes(memory)).map(({ failure_key: key, sourceLoops }) => [
      key,
      sourceLoops.length,
    ]);
    expect(found).toEqual([
      ["TS7030", 4],
      ["relation <value> already exists", 3],
    ]);
  });

  it("is one when tasks of two kinds teach the same in the same words", async () => {
    const memory = await openScratchMemory();
    const end = { whatWorked: ["Seed the database with npm run seed before the e2e tests"] };
    await recordTask(memory, "Fix failing router tests", { end });
    await recordTask(memory, "Document the seed script", { end });
    const learnings = await memory.learnings.list();
    expect(learnings.map(({ sourceLoops }) => sourceLoops)).toEqual([["task-001", "task-002"]]);
  });

  it("is none of one test's values, nor of an error that only one task met and did not solve", async () => {
    const memory = await openScratchMemory();
    await recordTask(memory, "Round the total", {
      actions: [
        fails(
          "npx vitest run",
          " FAIL  test/cart.test.ts > cart > adds\nAssertionError: expected 3 to be 4\n",
        ),
        edits("src/cart.ts", "sum", "sum + 1"),
        runs("npx vitest run"),
      ],
    });
    await recordTask(memory, "Publish the package", {
      actions: [fails("npm publish", "Error: the registry is read-only today")],
      end: { outcome: "failure" },
    });
    expect(await memory.learnings.list()).toEqual([]);
  });

  it.each([
    [
      "a plan of Terraform",
      '╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 14, in resource "aws_s3_bucket" "logs":\n│   14:   acl = "private"\n│ \n│ An argument named "acl" is not expected here.\n╵',
      /Unsupported argument/,
    ],
    [
      "a run of RSpec",
      "F.\n\nFailures:\n\n  1) Invoice totals the lines\n     Failure/Error: invoice.total\n\n     NoMethodError:\n       undefined method `sum' for nil:NilClass\n     # ./app/invoice.rb:9:in `total'\n\n2 examples, 1 failure\n",
      /undefined method/,
    ],
    [
      "a build of webpack",
      "assets by status 1 MiB\nmodules by path ./src/ 20 KiB\n\nERROR in ./src/index.js 3:0-28\nModule not found: Error: Can't resolve './theme' in '/w/src'\n\nwebpack compiled with 1 error in 812 ms",
      /Can't resolve/,
    ],
    [
      "a tool that nobody knows",
      "zapp 3.1 starting\nloading 12 rules\nchecking 40 files\nrule 7: the seal is broken, cannot continue\nzapp: failed",
      /the seal is broken/,
    ],
  ])("says what %s says went wrong, not its first line", async (_what, output, said) => {
    const memory = await openScratchMemory();
    await recordTask(memory, "Make it pass", {
      actions: [fails("./check", output), edits("src/x.ts", "one", "two"), runs("./check")],
    });
    const learnings = await mistakes(memory);
    expect(learnings.map(({ content }) => content.why)).toEqual([expect.stringMatching(said)]);
  });

  it("knows its category and the check that shows it", async () => {
    const memory = await openScratchMemory();
    await recordTask(memory, "Fix failing database tests", {
      actions: [fails("npm test", refused), startDatabase, runs("npm test")],
    });
    expect(await mistakes(memory)).toMatchObject([{ category: "network", conditions: ["`npm test`"] }]);
  });
});

describe("with a review", () => {
  const reviewed = () => openScratchMemory({ settings: "learnings:\n  promotion: review\n" });
  const since = "2000-01-01T00:00:00.000Z";
  const actions = [fails("npm test", refused), startDatabase, runs("npm test")];

  it("a mistake waits for it, and consolidation does not go round it", async () => {
    const memory = await reviewed();
    await recordTask(memory, "Fix failing database tests", { actions });
    await memory.learnings.consolidate({ since });
    expect(await memory.learnings.list()).toEqual([]);
    const staged = await memory.learnings.listStaged();
    expect(staged.filter(({ awaitsEvidence }) => !awaitsEvidence)).toMatchObject([
      { status: "pending", learning: { type: "antipattern", failure_key: "ECONNREFUSED port 5432" } },
    ]);
  });

  it("nobody is asked again about what was decided, until another task shows it", async () => {
    const memory = await reviewed();
    const statuses = async () =>
      (await memory.learnings.listStaged())
        .filter(({ awaitsEvidence }) => !awaitsEvidence)
        .map(({ status }) => status);
    await recordTask(memory, "Fix failing database tests", { actions });
    const [waiting] = await memory.learnings.listStaged();
    await memory.learnings.rejectStaged(waiting?.id ?? "", "not here");
    await memory.learnings.consolidate({ since });
    expect(await statuses()).toEqual(["rejected"]);
    await recordTask(memory, "Fix failing order tests", { actions });
    expect(await statuses()).toEqual(["rejected", "pending"]);
  });
});

describe("a brief", () => {
  it("is empty rather than about records that share a common word or a part of one", async () => {
    const memory = await openScratchMemory();
    await recordTask(memory, "Add owner_id to parcels", {
      actions: [
        fails("npm test", 'error: null value in column "owner_id" violates not-null constraint'),
        edits("src/parcels.ts", "insert(parcel)", "insert({ ...parcel, owner_id })"),
        runs("npm test"),
      ],
    });
    await recordTask(memory, "Repair the upload", {
      actions: [
        fails("npm test", "Error: upload failed: bucket id is missing"),
        edits("src/up.ts", "bucket", "bucket.id"),
        runs("npm test"),
      ],
    });
    for (const objective of ["Change the colour of the id badge", "Fix failing snapshot tests"])
      expect((await memory.recall({ objective })).text).toBe("");
  });

  it("tells one failure once, however many tasks met it", async () => {
    const memory = await openScratchMemory();
    for (const number of Array.from({ length: 11 }).keys())
      await recordTask(memory, `Fix the parcel import ${number}`, {
        actions: [fails("npm test", refused), startDatabase, runs("npm test")],
      });
    const { text } = await memory.recall({ objective: "Fix the parcel import again" });
    expect(text.match(/ECONNREFUSED/g)).toHaveLength(1);
    expect(text).toContain("run `docker compose up -d db`");
  });
});
