import { describe, expect, it } from "vitest";
import { workSources } from "../../../src/domain/tasks/action.js";
import { describeRemedy } from "../../../src/episodic/resolutions/describe-remedy.js";
import { attemptOf, edits, fails, reads, runs, summaries, trace, verdict } from "./work-samples.js";

const refused = "Error: connect ECONNREFUSED 127.0.0.1:6379";
const refusedKey = "ECONNREFUSED port 6379";
const twin = 'error: relation "parcels" already exists';
const twinKey = "relation <value> already exists";
const unused = "src/label.ts(4,7): error TS6133: 'size' is declared but its value is never read.";
const failed = (message: string) => ({ message });

const refuses = fails("npm test", refused);
const twinFails = fails("npm test", twin);
const startsRedis = runs("docker compose up -d redis");
const passes = runs("npm test");
const editsCache = edits("src/cache.ts");
const migrates = edits("scripts/migrate.ts");
const tscFails = fails("npx tsc", unused);
const tscPasses = runs("npx tsc");
const twinVerdict = verdict([failed(twin)]);
const byRedis = "solved, by docker compose up -d redis";
const byMigration = "solved, by scripts/migrate.ts";

const outcomeOf = (...actions: Parameters<typeof attemptOf>[0]) => summaries(trace(...attemptOf(actions)));

describe("a failure of a task", () => {
  it("is solved by what was done since it was last seen, not by what was done before", () => {
    expect(outcomeOf(refuses, editsCache, refuses, startsRedis, passes)).toEqual({
      [refusedKey]: "solved, by docker compose up -d redis, not by src/cache.ts",
    });
  });

  it.each([
    ["npm run lint", "src/label.ts:4:7 error TS6133: 'size' is declared", "npm run lint:fix"],
    [
      "ruff check scripts",
      "scripts/report.py:1:8: F401 [*] `os` imported but unused",
      "ruff check --fix scripts",
    ],
    ["npm test", twin, "npm run migrate:test"],
    [
      "npx vitest run",
      " FAIL  test/head.test.ts > head\nError: Snapshot `head 1` mismatched",
      "npx vitest run -u",
    ],
  ])(
    "of %s is solved by a command that mends or prepares, although its name is that of a check",
    (check, output, remedy) => {
      const [outcome] = Object.values(outcomeOf(fails(check, output), runs(remedy), runs(check)));
      expect(outcome).toBe(`solved, by ${remedy}`);
    },
  );

  it("is not solved by what was written for readers along with the work, unless it is about that", () => {
    const work = (output: string) =>
      outcomeOf(fails("npm test", output), edits("README.md"), editsCache, edits("CHANGELOG.md"), passes);
    expect(work(twin)).toEqual({ [twinKey]: "solved, by src/cache.ts" });
    expect(Object.values(work("Error: README.md does not list the option --cold"))).toEqual([
      "solved, by README.md + src/cache.ts",
    ]);
  });

  it.each([
    ["Error: Cannot find module 'src/tax.js' imported from test/tax.test.js", "src/tax.js", "", true],
    ["ModuleNotFoundError: No module named 'shop.slug'", "shop/slug.py", "", true],
    ["Error: Cannot find module 'src/tax.js' imported from test/tax.test.js", "src/tax.js", "old", false],
    ["Error: Cannot find module 'src/tax.js' imported from test/tax.test.js", "src/price.js", "", false],
  ])(
    "says nothing about other tasks if what was missing is what the task wrote: %s, %s",
    (output, path, before, isParticular) => {
      const steps = attemptOf([
        fails("npm test", output),
        edits(path, before, "export function tax() {}"),
        passes,
      ]);
      expect(trace(...steps)).toMatchObject([{ state: "solved", isParticular }]);
    },
  );

  it("is over when its check fails for another reason, which has a remedy of its own", () => {
    expect(outcomeOf(refuses, startsRedis, twinFails, migrates, passes)).toEqual({
      [refusedKey]: byRedis,
      [twinKey]: byMigration,
    });
  });

  it("was only hidden by another one if it is back after that", () => {
    expect(outcomeOf(refuses, editsCache, twinFails, migrates, refuses, startsRedis, passes)).toEqual({
      [refusedKey]: "solved, by docker compose up -d redis, not by src/cache.ts",
      [twinKey]: byMigration,
    });
  });

  it("stays open when its check never passed again in a task that failed", () => {
    const steps = attemptOf([refuses, editsCache, twinFails, migrates], { isSuccess: false });
    expect(summaries(trace(...steps))).toEqual({ [refusedKey]: "open", [twinKey]: "open" });
  });

  it("is followed apart from another one of another command", () => {
    expect(outcomeOf(refuses, tscFails, edits("src/label.ts"), tscPasses, startsRedis, passes)).toEqual({
      [refusedKey]: byRedis,
      TS6133: "solved, by src/label.ts",
    });
  });

  it("is followed over attempts", () => {
    const steps = [
      ...attemptOf([refuses, editsCache, refuses], { isSuccess: false }),
      ...attemptOf([refuses, edits("src/pool.ts"), refuses], { attempt: 2, isSuccess: false }),
      ...attemptOf([startsRedis, passes], { attempt: 3 }),
    ];
    const [only] = trace(...steps);
    expect(summaries([only as NonNullable<typeof only>])).toEqual({
      [refusedKey]: "solved, by docker compose up -d redis, not by src/cache.ts, not by src/pool.ts",
    });
    expect(only?.attempts).toEqual([1, 2]);
  });

  it("has no remedy in work that was taken back", () => {
    expect(
      outcomeOf(
        twinFails,
        edits("src/cache.ts", "ttl: 10", "ttl: 90"),
        edits("src/cache.ts", "ttl: 90", "ttl: 10"),
        migrates,
        passes,
      ),
    ).toEqual({ [twinKey]: byMigration });
    expect(outcomeOf(twinFails, editsCache, runs("git checkout -- src/cache.ts"), migrates, passes)).toEqual({
      [twinKey]: byMigration,
    });
  });

  it("is open again when its remedy is rewritten, and the rewriting is the remedy", () => {
    const quick = edits("src/label.ts", "const size = read();", "const size = read(); // @ts-ignore");
    const proper = edits("src/label.ts", "const size = read(); // @ts-ignore", "read();");
    expect(outcomeOf(tscFails, quick, tscPasses, proper, tscPasses)).toEqual({
      TS6133: "solved, by src/label.ts, not by src/label.ts",
    });
    const [only] = trace(...attemptOf([tscFails, quick, tscPasses, proper, tscPasses]));
    expect(only?.remedy).toEqual([proper]);
  });

  it("is flaky when it went away although nothing was done", () => {
    expect(outcomeOf(refuses, reads("src/cache.ts"), passes)).toEqual({ [refusedKey]: "flaky" });
    expect(outcomeOf(refuses, runs("docker compose ps"), runs("sleep 5"), passes)).toEqual({
      [refusedKey]: "flaky",
    });
  });

  it("is solved by another form of the command that failed", () => {
    const conflict = "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree";
    const traces = trace(
      ...attemptOf([
        fails("npm install chart@4", conflict),
        edits("package.json"),
        runs("npm install chart@3"),
        passes,
      ]),
    );
    expect(traces.map(({ remedy }) => remedy.map(({ params }) => params.command))).toEqual([
      ["npm install chart@3"],
    ]);
  });

  it("about how a check was called is solved by the call that passed, not by the work after it", () => {
    const form = "cargo bench -p lexer --bench throughput";
    expect(
      Object.values(
        outcomeOf(
          fails("cargo bench -p lexer", "error: no bench target named `lexer`"),
          runs(form),
          edits("src/lexer.rs"),
          runs("cargo test"),
        ),
      ),
    ).toEqual([`solved, by ${form}`]);
  });

  it("whose check was not run again is not solved by recording the work", () => {
    const missing = 'npm error Missing script: "test"';
    const work = [
      fails("npm test", missing),
      runs("npm run test:unit"),
      runs("git add -A && git commit -m ci"),
    ];
    expect(Object.values(outcomeOf(...work))).toEqual(["open"]);
  });

  it("whose check was not run again is not solved by what solved another one", () => {
    const missing = "make: *** No rule to make target 'bench'.  Stop.";
    expect(outcomeOf(fails("make bench", missing), refuses, startsRedis, passes)).toEqual({
      [refusedKey]: byRedis,
      "no rule to make target <value>. stop.": "open",
    });
  });

  it("is solved by the variable that its command was run with", () => {
    const heap = "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory";
    const larger = "NODE_OPTIONS=--max-old-space-size=4096 npm run docs";
    expect(Object.values(outcomeOf(fails("npm run docs", heap), runs(larger)))).toEqual([
      `solved, by ${larger}`,
    ]);
    expect(Object.values(outcomeOf(fails("npm run docs", heap), runs("CI=1 npm run docs")))).toEqual([
      "flaky",
    ]);
  });

  it.each<[string, string, ReturnType<typeof runs>[], string]>([
    [
      "golangci-lint run",
      "zsh: command not found: golangci-lint",
      [
        runs("go install golangci-lint@v1"),
        fails("$(go env GOPATH)/bin/golangci-lint run", "a.go:1:2: b (errcheck)"),
      ],
      "go install golangci-lint@v1",
    ],
    [
      "pytest -q",
      "bash: pytest: command not found",
      [edits("app/cart.py"), runs("uv run pytest tests/test_cart.py")],
      "uv run pytest tests/test_cart.py",
    ],
    [
      "pytest -q",
      "sh: 1: pytest: not found",
      [runs("source .venv/bin/activate && pytest -q")],
      "source .venv/bin/activate && pytest -q",
    ],
    ["python -V", "bash: line 1: python: command not found", [runs("python3 -V")], "python3 -V"],
  ])(
    "of a program that %s does not find is solved by what makes it start",
    (command, output, work, remedy) => {
      const traces = trace(...attemptOf([fails(command, output), ...work], { isSuccess: false }));
      expect(summaries(traces.slice(0, 1))).toEqual({ [traces[0]?.key ?? ""]: `solved, by ${remedy}` });
    },
  );

  it("is not seen in a search that finds nothing", () => {
    expect(outcomeOf(fails("grep -rn retry src", ""), fails("ls dist", "ls: cannot access 'dist'"))).toEqual(
      {},
    );
  });

  it("counts the same command as one check, whatever its folder, pipe and numbers", () => {
    expect(outcomeOf(fails("cd api && npm test 2>&1 | tail -20", refused), startsRedis, passes)).toEqual({
      [refusedKey]: byRedis,
    });
  });

  it("is over once its check passes in a line with others, whatever is done later", () => {
    expect(
      outcomeOf(
        refuses,
        startsRedis,
        runs("npm run lint && npm test"),
        runs("npm install -g prettier"),
        editsCache,
      ),
    ).toEqual({ [refusedKey]: byRedis });
  });

  it("is solved by what a line does before it runs the check", () => {
    const line = "cd api && docker compose up -d redis && npm test";
    const traces = trace(...attemptOf([refuses, runs(line)]));
    expect(traces).toMatchObject([{ state: "solved" }]);
    expect(describeRemedy(traces[0]?.remedy ?? [])).toBe("run `cd api && docker compose up -d redis`");
    expect(outcomeOf(refuses, runs("npm run lint && npm test"))).toEqual({ [refusedKey]: "flaky" });
  });

  it("is solved by all that made it less", () => {
    const over = (size: number) => `error: bundle is ${size} kB, over the limit of 120 kB`;
    const [only] = trace(
      ...attemptOf([
        fails("npm run size", over(150)),
        edits("src/chart.ts"),
        fails("npm run size", over(130)),
        edits("src/map.ts"),
        runs("npm run size"),
      ]),
    );
    expect(only?.remedy.map(({ params }) => params.file_path)).toEqual(["src/chart.ts", "src/map.ts"]);
    expect(only?.triedInVain).toEqual([]);
  });

  it("is one failure where several tests fail alike", () => {
    const output = [
      " FAIL  test/a.test.ts > saves a parcel",
      refused,
      " FAIL  test/b.test.ts > lists parcels",
      refused,
      " Test Files  2 failed (2)",
    ].join("\n");
    const traces = trace(
      ...attemptOf([fails("npx vitest run", output), startsRedis, runs("npx vitest run")]),
    );
    expect(summaries(traces)).toEqual({ [refusedKey]: byRedis });
    expect(traces[0]?.files).toEqual(["test/a.test.ts", "test/b.test.ts"]);
  });
});

describe("a failure that verdicts show", () => {
  const step = (...actions: Parameters<typeof attemptOf>[0]) => attemptOf(actions).slice(0, -1);

  it("is solved by the work of the iteration before the one that passes", () => {
    const steps = [
      ...step(edits("src/cart.ts")),
      twinVerdict,
      ...step(edits("src/total.ts")),
      twinVerdict,
      ...step(migrates),
      verdict([]),
    ];
    expect(summaries(trace(...steps))).toEqual({
      [twinKey]: "solved, by scripts/migrate.ts, not by src/total.ts",
    });
  });

  it("is solved by something unknown where no work is recorded, and not flaky", () => {
    expect(summaries(trace(twinVerdict, twinVerdict, verdict([])))).toEqual({ [twinKey]: "solved" });
    const ends = [
      ...attemptOf([], { isSuccess: false, failures: [failed(twin)] }),
      ...attemptOf([], { attempt: 2 }),
    ];
    expect(summaries(trace(...ends))).toEqual({ [twinKey]: "solved" });
    const byRalph = [twinFails, passes].map((action) => ({
      ...action,
      params: { ...action.params, from: workSources.check },
    }));
    expect(summaries(trace(...attemptOf(byRalph)))).toEqual({ [twinKey]: "solved" });
  });

  it("is flaky where the work is recorded and did nothing", () => {
    const steps = [twinVerdict, ...step(reads("scripts/migrate.ts")), verdict([])];
    expect(summaries(trace(...steps))).toEqual({ [twinKey]: "flaky" });
  });
});
