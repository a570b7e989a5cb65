import { defineConfig } from "vitest/config";

/** Hundreds of megabytes each, of which a few prove the same limits in `npm test`: only when asked for. */
export default defineConfig({
  test: {
    include: ["test/floods/*.test.ts"],
    testTimeout: 300_000,
    env: { NODE_EXTRA_CA_CERTS: "", NO_COLOR: "1" },
  },
});
