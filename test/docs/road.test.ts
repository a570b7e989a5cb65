import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const picture = readFileSync(join(root, "docs/road.svg"), "utf8");
const page = readFileSync(join(root, "docs/road.md"), "utf8");

const folders = readdirSync(join(root, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `${name}/`);

const foldersIn = (text: string) => text.match(/\b[a-z]+\//g) ?? [];

/** The boxes of the picture: `recall: recall/ search/`. */
function stationsOfPicture(): string[] {
  return [...picture.matchAll(/<g class="station">(.*?)<\/g>/gs)].map(([, box = ""]) => {
    const lines = [...box.matchAll(/<text([^>]*)>([^<]+)</g)];
    const name = lines.filter(([, attributes]) => !attributes?.includes("folder")).map(([, , text]) => text);
    const folder = lines.filter(([, attributes]) => attributes?.includes("folder")).map(([, , text]) => text);
    return `${name.join(" ")}: ${folder.join(" ")}`;
  });
}

/** The rows of the table, in the same form. */
function stationsOfTable(): string[] {
  return [...page.matchAll(/^\| ([a-z, ]+?) +\|.*\| ([^|]+)\|$/gm)]
    .slice(1)
    .map(([, name, folder = ""]) => `${name}: ${foldersIn(folder).join(" ")}`);
}

describe("the road that data takes", () => {
  it("names only folders that exist in src/", () => {
    const named = [...picture.matchAll(/class="folder">([^<]+)</g)].flatMap(([, text = ""]) =>
      foldersIn(text),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !folders.includes(name))).toEqual([]);
  });

  it("is the same in the picture and in the table", () => {
    expect(stationsOfPicture()).toContain("recall: recall/ search/");
    expect(stationsOfPicture().sort()).toEqual(stationsOfTable().sort());
  });
});
