import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf, renderEnd, rowsOf } from "../../src/cli/output/run/run-lines.js";
import { openRunStatus } from "../../src/cli/output/run/run-status.js";
import { hasTerminals } from "../support/on-terminal.js";

describe("docs/run.svg", () => {
  it("is what a run shows (npm run docs writes it)", async () => {
    // @ts-expect-error a plain script without types
    const { renderRunPicture } = await import("../../scripts/pictures.mjs");
    const picture = readFileSync(resolve(import.meta.dirname, "../../docs/run.svg"), "utf8");
    expect(picture).toBe(renderRunPicture({ linesOf, rowsOf, renderEnd, openRunStatus }));
  });
});

describe.skipIf(!hasTerminals)("docs/overview.svg and docs/help.svg", () => {
  it("are what ralph and ralph --help print at 80 columns (npm run docs writes them)", async () => {
    // @ts-expect-error a plain script without types
    const { renderCommandPictures } = await import("../../scripts/pictures.mjs");
    const pictures: Record<string, string> = renderCommandPictures();
    expect(Object.keys(pictures)).toHaveLength(2);
    for (const [path, picture] of Object.entries(pictures))
      expect(readFileSync(resolve(import.meta.dirname, "../..", path), "utf8")).toBe(picture);
  });
});

describe("a picture of a terminal", () => {
  it("shows one frame at a time, also at the moment of a change, and the last one where nothing moves", async () => {
    // @ts-expect-error a plain script without types
    const { renderTerminalPicture } = await import("../../scripts/pictures.mjs");
    const frames = ["one", "two"].map((text) => [[{ text, tone: "plain" }]]);
    const picture: string = renderTerminalPicture({ title: "", summary: "", columns: 80, rows: 1, frames });
    expect(picture.match(/step-end infinite/g)).toHaveLength(2);
    expect(picture).toContain("#frame-1 { visibility: hidden; }");
    expect(picture).not.toContain("#frame-2 { visibility: hidden; }");
    expect(picture).not.toContain("opacity");
  });

  it("puts a character that may come from another font, and what follows it, into its own column", async () => {
    // @ts-expect-error a plain script without types
    const { renderTerminalPicture } = await import("../../scripts/pictures.mjs");
    const frames = [[[{ text: "⠋ attempt <1>", tone: "faint" }]]];
    const picture: string = renderTerminalPicture({ title: "", summary: "", columns: 80, rows: 1, frames });
    expect(picture).toMatch(/x="16\.0" y="31\.2">⠋<\/text>/);
    expect(picture).toMatch(/x="32\.9" y="31\.2" textLength="92\.7">attempt &lt;1&gt;<\/text>/);
  });
});
