import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

/** More about PostgreSQL than the contract that every driver fulfils. */
const storeTests = [
  "test/store/postgres/!(team-store).test.ts",
  "test/store/dump/**",
  "test/scenario/{store-commands,team-store,team-away}.test.ts",
];

/** Runs that are killed, given up, taken over or never end by themselves. */
const runTests = ["test/scenario/run-{ends,faults,leases,paused}.test.ts"];

/** Too slow for `npm test`, or in need of a network, a browser or real agents. */
const slowTests = [
  "test/real-agents/**",
  "test/floods/**",
  "test/attack/**",
  "test/page/**",
  ...storeTests,
  ...runTests,
];

const limitProperties = "test/support/limit-properties.ts";

// `npm run test:postgres`: the same tests with the records of every project on PostgreSQL.
const onPostgres = process.env.RALPH_TEST_RECORDS === "postgres";
const postgresSetup = onPostgres
  ? {
      globalSetup: ["test/support/postgres/serve-suite.ts"],
      setupFiles: ["test/support/postgres/skip-sqlite-only.ts"],
    }
  : {};

type Options = NonNullable<TestProjectInlineConfiguration["test"]>;
const project = (name: string, test: Options) => ({ extends: true as const, test: { name, ...test } });

/** One file at a time. */
const alone = { fileParallelism: false };

export default defineConfig({
  test: {
    // Most tests wait for processes of their own: three files at a time also where there are only two processors.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NODE_EXTRA_CA_CERTS: "", NO_COLOR: "1" },
    ...postgresSetup,
    projects: [
      project("rooms", {
        include: ["test/**/*.test.ts"],
        exclude: ["test/scenario/**", ...slowTests],
        setupFiles: [limitProperties],
        // To load our modules anew for each file takes as long as all of its tests.
        isolate: false,
      }),
      project("scenarios", {
        include: ["test/scenario/**/*.test.ts"],
        exclude: [...storeTests, ...runTests],
      }),
      project("stores", { include: storeTests, setupFiles: [limitProperties] }),
      project("runs", { include: runTests }),
      project("floods", { include: ["test/floods/*.test.ts"], testTimeout: 300_000 }),
      project("embedders", { include: ["test/embed/*.slow.ts"], testTimeout: 300_000, hookTimeout: 300_000 }),
      // They measure times.
      project("attack", {
        include: ["test/attack/**/*.test.ts"],
        testTimeout: 600_000,
        hookTimeout: 120_000,
        maxWorkers: 2,
        sequence: { groupOrder: 1 },
      }),
      // They share the processors with a browser.
      project("ui", {
        include: ["test/page/*.test.ts"],
        testTimeout: 120_000,
        hookTimeout: 180_000,
        ...alone,
      }),
      // They install the same programs into the same folders.
      project("agents", {
        include: ["test/real-agents/*.test.ts"],
        testTimeout: 180_000,
        hookTimeout: 400_000,
        ...alone,
      }),
    ],
  },
});
