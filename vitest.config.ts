import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // These need the registry: npm run test:agents.
    exclude: ["test/real-agents/**"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NODE_EXTRA_CA_CERTS: "", NO_COLOR: "1" },
  },
});
