import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { helpOf } from "../support/help-of.js";

const reference = readFileSync(join(import.meta.dirname, "../../docs/cli.md"), "utf8");

describe("docs/cli.md", () => {
  it("is what the commands say of themselves (npm run docs writes it)", async () => {
    // @ts-expect-error a plain script without types
    const { renderCliReference } = await import("../../scripts/cli-help.mjs");
    expect(reference).toBe(await renderCliReference(helpOf));
  });

  it("begins with a table of contents that leads to every command", () => {
    const [, contents = ""] = /^## Contents\n([\s\S]*?)^## /m.exec(reference) ?? [];
    const links = [...contents.matchAll(/\[[a-z -]+\]\(#([a-z-]+)\)/g)].map(([, place]) => place);
    const headings = [...reference.matchAll(/^## (ralph .+)$/gm)].map(([, title = ""]) =>
      title.replaceAll(" ", "-"),
    );
    expect(links).toContain("ralph-history-archive");
    expect(links).toEqual(headings);
  });
});
