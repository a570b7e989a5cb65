import { defineConfig } from "vitest/config";

/** Real agents, which come from the registry: only when asked for. */
export default defineConfig({
  test: {
    include: ["test/real-agents/*.test.ts"],
    // Each installs the same programs into the same folders, and some measure what their hooks take.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 400_000,
    env: { NO_COLOR: "1" },
  },
});
