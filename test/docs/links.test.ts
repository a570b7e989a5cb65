import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const pages = [root, join(root, "docs"), join(root, "docs/decisions")].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

/** What a reader sees as text: blocks of code hold examples. */
const prose = (page: string) => readFileSync(page, "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");

/** The places that GitHub gives a page's headings. */
const headingsOf = (page: string) =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

function isBroken(page: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(target)) return true;
  return heading !== undefined && !headingsOf(target).includes(heading);
}

describe("the documentation", () => {
  it("has links that lead to files and headings that exist", () => {
    const links = pages.flatMap((page) =>
      [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => ({ page, link })),
    );
    const own = links.filter(({ link }) => !/^[a-z]+:/.test(link));
    expect(own.length).toBeGreaterThan(100);
    const broken = own.filter(({ page, link }) => isBroken(page, link));
    expect(broken.map(({ page, link }) => `${relative(root, page)}: ${link}`)).toEqual([]);
  });

  it("is named in the README, page by page", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const unnamed = readdirSync(join(root, "docs")).filter(
      (name) => name.endsWith(".md") && !readme.includes(`(docs/${name}`),
    );
    expect(unnamed).toEqual([]);
  });
});
