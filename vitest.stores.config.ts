import { defineConfig } from "vitest/config";
import { slowStoreTests } from "./vitest.config.js";

/** What else is to be known about stores and moving between them. */
export default defineConfig({
  test: {
    include: slowStoreTests,
    setupFiles: ["test/support/limit-properties.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NODE_EXTRA_CA_CERTS: "", NO_COLOR: "1" },
  },
});
