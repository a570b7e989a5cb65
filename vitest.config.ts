import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The former need the registry, the latter take long: npm run test:agents, npm run test:floods.
    exclude: ["test/real-agents/**", "test/floods/**"],
    // Most tests wait for processes of their own: two files at a time also where there are only two processors.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NODE_EXTRA_CA_CERTS: "", NO_COLOR: "1" },
  },
});
