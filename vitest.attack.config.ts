import { defineConfig } from "vitest/config";

/** Hostile repositories, exact timings and a campaign of faults: minutes, so only when asked for. */
export default defineConfig({
  test: {
    include: ["test/attack/**/*.test.ts"],
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    env: { NODE_EXTRA_CA_CERTS: "", NO_COLOR: "1" },
  },
});
