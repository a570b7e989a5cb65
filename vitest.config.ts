import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** More about PostgreSQL than the contract: npm run test:stores. */
export const slowStoreTests = [
  "test/store/postgres/!(team-store).test.ts",
  "test/store/dump/**",
  "test/scenario/{store-commands,team-store,team-away}.test.ts",
];

/** Runs that are killed, given up, taken over or never end by themselves: npm run test:runs. */
export const slowRunTests = ["test/scenario/run-{ends,faults,leases,paused}.test.ts"];

export default defineConfig({
  test: {
    // Most tests wait for processes of their own: three files at a time also where there are only two processors.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NODE_EXTRA_CA_CERTS: "", NO_COLOR: "1" },
    projects: [
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["test/**/*.test.ts"],
          setupFiles: ["test/support/limit-properties.ts"],
          // The real agents need the registry, the others take long: npm run test:agents, test:floods, test:attack, test:ui, test:stores.
          exclude: [
            "test/scenario/**",
            "test/real-agents/**",
            "test/floods/**",
            "test/attack/**",
            "test/page/**",
            ...slowStoreTests,
          ],
          // To load our modules anew for each file takes as long as all of its tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "scenarios",
          include: ["test/scenario/**/*.test.ts"],
          exclude: [...slowStoreTests, ...slowRunTests],
        },
      },
    ],
  },
});
