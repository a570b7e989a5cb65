import { defineConfig } from "vitest/config";

/** The page in a real browser: npm run test:ui. */
export default defineConfig({
  test: {
    include: ["test/page/*.test.ts"],
    // They share the processors with a browser.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    env: { NODE_EXTRA_CA_CERTS: "", NO_COLOR: "1" },
  },
});
