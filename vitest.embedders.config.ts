import { defineConfig } from "vitest/config";

/** Tests with real models: their packages are large, and installed into a temporary folder. */
export default defineConfig({
  test: {
    include: ["test/embed/*.slow.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    env: { NODE_EXTRA_CA_CERTS: "", NO_COLOR: "1" },
  },
});
