import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareStatements, sameStatement, similarity } from "../../src/words/similarity.js";
import { statementWords } from "../../src/words/statement-words.js";
import { stem } from "../../src/words/stem.js";

const rewordings: [string, string][] = [
  ["Use pnpm for installs", "Use pnpm for installs"],
  ["Use pnpm for installs", "use PNPM for installs."],
  ["Run the linter before committing", "Run linters before you commit"],
  ["Run the linter before committing", "Before committing, run the linter"],
  ["Always run the linter before committing", "Run the linter before committing"],
  ["Please make sure to close the database connection", "Close the database connection"],
  ["Close database connections after each test", "After each test, close the database connection"],
  ["The API returns 404 for unknown users", "For unknown users, the API returns 404"],
  ["Never commit secrets to the repository", "Do not commit secrets to the repo"],
  ["Don't commit secrets", "Never commit secrets"],
  ["Don't forget to run the migrations", "Always run the migrations"],
  ["Use pnpm instead of npm", "Use pnpm, not npm"],
  ["Use pnpm rather than npm", "Prefer pnpm instead of npm"],
  ["Migrations are stored in db/migrations", "Store migrations in db/migrations"],
  ["userStore caches sessions", "user-store caches sessions"],
  ["userStore caches sessions", "The user store caches sessions"],
  ["PostgreSQL runs in Docker", "postgresql runs in docker"],
  ["Avoid using any in TypeScript", "Do not use `any` in TS"],
  ["Mock the clock in unit tests", "In unit tests, the clock should be mocked"],
  ["Optimise the database queries", "Optimizing database queries"],
  ["Set NODE_ENV to production", "NODE_ENV must be set to production"],
  ["The config is loaded lazily", "Configuration gets loaded lazily"],
  ["Retry requests on ECONNRESET", "On ECONNRESET, retry the request"],
  ["We deploy from the main branch", "Deploys are done from the main branch"],
  ["Fix the failing authentication tests", "Fix failing auth tests"],
  ["Use `===` for comparisons", "Use === for comparison"],
  ["C++ code is formatted with clang-format", "Format C++ code with clang-format"],
  ["数据库连接超时", "数据库连接超时。"],
  ["The constructor calls toString", "toString is called by the constructor"],
  ["Die Tests laufen mit vitest", "die tests laufen mit Vitest!"],
  ["The worker retries each failed job three times", "Each failed job is retried three times by the worker"],
];

const relatedButDifferent: [string, string][] = [
  ["Use port 5432", "Use port 5433"],
  [
    "The staging database of the billing service listens on port 5432 behind the corporate proxy",
    "The staging database of the billing service listens on port 5433 behind the corporate proxy",
  ],
  ["Always mock the clock", "Never mock the clock"],
  ["Mock the clock", "Don't mock the clock"],
  ["Use tabs, not spaces", "Use spaces, not tabs"],
  ["Use pnpm instead of npm", "Use npm instead of pnpm"],
  ["Prefer composition over inheritance", "Prefer inheritance over composition"],
  ["Run lint before test", "Run test before lint"],
  ["Run the migrations before deploying", "Run the migrations after deploying"],
  ["Migrate the suite from Jest to Vitest", "Migrate the suite from Vitest to Jest"],
  ["Enable strict mode", "Disable strict mode"],
  ["Requires Node 18.10", "Requires Node 10.18"],
  ["Use === for comparisons", "Use == for comparisons"],
  ["Write it in C++", "Write it in C"],
  ["We use PostgreSQL 14 in production", "We use PostgreSQL 14 in staging"],
  ["Turn the cache off in tests", "Turn the cache on in tests"],
  ["Commit lockfiles", "Only commit lockfiles"],
  ["Integration tests run in parallel", "Tests run in parallel"],
  ["Fix failing authentication tests", "Fix failing database tests"],
  ["Fix the login bug in the auth service", "Fix login failure in the auth service"],
  ["Add a retry to the payment client", "Add a timeout to the payment client"],
  ["The default timeout is 30 seconds", "The default timeout is 30 minutes"],
  ["src/auth/login.ts exports loginUser", "src/auth/logout.ts exports logoutUser"],
  [
    "rustfmt finds a diff in src/parser.rs, run cargo fmt",
    "rustfmt finds a diff in src/typing.rs, run cargo fmt",
  ],
  [
    "The Berlin team of the billing group sits in Berlin",
    "The Berlin team of the billing group sits in Rome",
  ],
  ["Cache responses in Redis", "Cache responses in memory"],
  ["Increase the pool size", "Decrease the pool size"],
];

const unrelated: [string, string][] = [
  ["Use tabs", "Use Postgres"],
  ["Use pnpm for installs", "The clock must be mocked in tests"],
  ["Fix failing authentication tests", "Update the README badge"],
  ["Run the migrations before deploying", "Buttons have rounded corners"],
  ["Fix the flaky scroll test", "Fix memory leak in the parser"],
  ["Add dark mode", "Add rate limiting to the API"],
  ["The build runs on Linux", "Passwords are hashed with argon2"],
  ["Errors are wrapped in RalphError", "Colours come from the theme"],
  ["Set the timeout to 30 seconds", "Translations live in locales/"],
  ["Never commit secrets", "Never block the event loop"],
  ["It is what it is", "Use the force"],
  ["", "Use pnpm"],
  ["!!!", "---"],
  ["数据库连接超时", "修复按钮颜色"],
];

describe("similarity", () => {
  it.each(rewordings)("takes %j and %j for the same statement", (one, other) => {
    expect(similarity(one, other)).toBeGreaterThanOrEqual(sameStatement);
    expect(similarity(other, one)).toBe(similarity(one, other));
  });

  it.each(relatedButDifferent)("tells %j from %j, though they are related", (one, other) => {
    expect(similarity(one, other)).toBeLessThan(sameStatement);
    expect(similarity(one, other)).toBeGreaterThan(0.3);
  });

  it.each(unrelated)("sees nothing in common between %j and %j", (one, other) => {
    expect(similarity(one, other)).toBeLessThanOrEqual(0.3);
  });

  it("counts a task that differs in one word out of five as similar", () => {
    const one = "Fix the login bug in the auth service";
    expect(similarity(one, "Fix login failure in the auth service")).toBeGreaterThanOrEqual(0.7);
  });
});

const plainWords = fc.constantFrom(
  ..."database parser retry button clock session cache migration endpoint worker token branch vitest lockfile".split(
    " ",
  ),
);
const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc
    .array(
      fc.oneof(plainWords, fc.constantFrom("not", "never", "before", "5432", "the", "c++", "src/a.ts")),
      { maxLength: 12 },
    )
    .map((words) => words.join(" ")),
);

describe("similarity of any texts", () => {
  it("is symmetric and lies between 0 and 1", () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        const value = similarity(one, other);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(similarity(other, one)).toBe(value);
      }),
      { numRuns: 2000 },
    );
  });

  it("is 1 for a text and itself, also with ready-made bags", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(similarity(text, text)).toBe(1);
        expect(compareStatements(statementWords(text), statementWords(text))).toBe(1);
      }),
      { numRuns: 2000 },
    );
  });

  it("does not depend on the order of words", () => {
    const shuffled = fc
      .uniqueArray(plainWords, { minLength: 1 })
      .chain((words) =>
        fc.tuple(fc.constant(words), fc.shuffledSubarray(words, { minLength: words.length })),
      );
    fc.assert(
      fc.property(shuffled, ([words, others]) => {
        expect(similarity(words.join(" "), others.join(" "))).toBeGreaterThanOrEqual(sameStatement);
      }),
    );
  });

  it("falls below the same statement when a negation is added", () => {
    fc.assert(
      fc.property(fc.uniqueArray(plainWords, { minLength: 1 }), (words) => {
        expect(similarity(words.join(" "), `never ${words.join(" ")}`)).toBeLessThan(sameStatement);
      }),
    );
  });
});

describe("the stem of a word", () => {
  it.each([
    ["migrations", "migrating"],
    ["tests", "test"],
    ["queries", "query"],
    ["caches", "cached"],
    ["implementation", "implemented"],
    ["running", "runs"],
    ["configuration", "configure"],
    ["agreed", "agree"],
  ])("of %j is that of %j", (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });

  it.each([
    ["test", "latest"],
    ["port", "import"],
    ["status", "state"],
    ["ts2345", "ts234"],
  ])("of %j is not that of %j", (one, other) => {
    expect(stem(one)).not.toBe(stem(other));
  });
});
