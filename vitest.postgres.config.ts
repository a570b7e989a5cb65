import { mergeConfig } from "vitest/config";
import base from "./vitest.config.js";

/** The suite of `npm test` once more, with the records of every project on PostgreSQL; `sqlite-only.ts` says what is left out, and why. */
export default mergeConfig(base, {
  test: {
    globalSetup: ["test/support/postgres/serve-suite.ts"],
    setupFiles: ["test/support/postgres/skip-sqlite-only.ts"],
  },
});
