import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

describe("docs/cli.md", () => {
  it("is what the commands say of themselves (npm run docs writes it)", async () => {
    // @ts-expect-error a plain script without types
    const { renderCliReference } = await import("../../scripts/render-cli-reference.mjs");
    expect(readFileSync(join(import.meta.dirname, "../../docs/cli.md"), "utf8")).toBe(renderCliReference());
  });
});
