import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { openRunStatus } from "../../src/cli/output/live/run-status.js";
import { renderEnd } from "../../src/cli/output/run/render-end.js";
import { linesOf } from "../../src/cli/output/run/run-lines.js";
import { rowsOf } from "../../src/cli/output/run/shown-line.js";

describe("docs/run.svg", () => {
  it("is what a run shows (npm run docs writes it)", async () => {
    // @ts-expect-error a plain script without types
    const { renderRunPicture } = await import("../../scripts/render-run-picture.mjs");
    const picture = readFileSync(resolve(import.meta.dirname, "../../docs/run.svg"), "utf8");
    expect(picture).toBe(renderRunPicture({ linesOf, rowsOf, renderEnd, openRunStatus }));
  });
});
