import { defineConfig } from "vitest/config";
import { slowRunTests } from "./vitest.config.js";

/** How runs end, by themselves and by force. */
export default defineConfig({
  test: {
    include: slowRunTests,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NODE_EXTRA_CA_CERTS: "", NO_COLOR: "1" },
  },
});
