import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { helpOf } from "../support/help-of.js";

const root = join(import.meta.dirname, "../..");
const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

describe("the manual pages", () => {
  it("are what the commands say of themselves (npm run docs writes them), and the package names them", async () => {
    // @ts-expect-error a plain script without types
    const { renderManPages } = await import("../../scripts/cli-help.mjs");
    const pages: Record<string, string> = await renderManPages(packageJson.version, helpOf);
    const files = readdirSync(join(root, "man"));
    expect(files.toSorted()).toEqual(Object.keys(pages).sort());
    for (const [file, page] of Object.entries(pages))
      expect(readFileSync(join(root, "man", file), "utf8"), file).toBe(page);
    expect(packageJson.man.toSorted()).toEqual(files.map((file) => `man/${file}`).sort());
    expect(packageJson.files).toContain("man");
  });

  it("let no text become a request of the formatter", () => {
    for (const file of readdirSync(join(root, "man"))) {
      const lines = readFileSync(join(root, "man", file), "utf8").split("\n");
      const requests = lines.filter((line) => /^[.']/.test(line)).map((line) => line.split(" ")[0]);
      const known = [".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi", ".BR"];
      expect(requests.filter((request) => !known.includes(request ?? ""))).toEqual([]);
    }
  });
});
