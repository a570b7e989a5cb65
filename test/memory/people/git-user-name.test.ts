import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actingName, findGitUserName } from "../../../src/memory/project/acting-name.js";
import { git, scratchFolder, scratchRepository } from "../../support/scratch.js";

function homeWith(files: Record<string, string>): { HOME: string } {
  const HOME = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(HOME, path, ".."), { recursive: true });
    writeFileSync(join(HOME, path), text);
  }
  return { HOME };
}

describe("the name of Git's user", () => {
  it("is the repository's, else the user's, wherever that is kept", () => {
    const root = scratchRepository();
    const user = homeWith({
      ".gitconfig": "[core]\n\tname = no\n[user]\n\temail = a@b.c\n\tname = Ann Lee\n",
    });
    expect(findGitUserName(root, user)).toBe("Ann Lee");
    expect(
      findGitUserName(root, homeWith({ ".config/git/config": '[user] name = "Bo \\"B\\" Li" # me\n' })),
    ).toBe('Bo "B" Li');
    const elsewhere = join(homeWith({ own: "[USER]\nName=Cy ; old\n" }).HOME, "own");
    expect(findGitUserName(root, { ...user, GIT_CONFIG_GLOBAL: elsewhere })).toBe("Cy");
    expect(findGitUserName(root, { ...user, GIT_AUTHOR_NAME: "Di" })).toBe("Di");
    git(root, "config", "user.name", "Ed");
    expect(findGitUserName(root, user)).toBe("Ed");
  });

  it("is what Git itself says of the same files", () => {
    const root = scratchRepository();
    for (const name of ["Ann", "Ann  Lee", 'A "B" C', "back\\slash", "hash # tag", "ünï", "semi; colon"]) {
      git(root, "config", "user.name", name);
      expect(findGitUserName(root, {})).toBe(name);
    }
  });

  it("is unknown where nobody said it, and no strange file is in the way", () => {
    const root = scratchRepository();
    expect(findGitUserName(root, {})).toBeUndefined();
    expect(findGitUserName(root, { GIT_CONFIG_GLOBAL: root })).toBeUndefined();
    expect(findGitUserName(root, homeWith({ ".gitconfig": "[user]\nname =\n" }))).toBeUndefined();
  });
});

describe("who does something", () => {
  const root = "/nowhere";

  it("is as was said, else RALPH_AS, else the user of Git", () => {
    const environment = { RALPH_AS: "Bo", GIT_AUTHOR_NAME: "Cy" };
    expect(actingName({ as: "Ann", root, environment })).toBe("Ann");
    expect(actingName({ as: undefined, root, environment })).toBe("Bo");
    expect(actingName({ as: "", root, environment: { GIT_AUTHOR_NAME: "Cy" } })).toBe("Cy");
  });

  it("is one plain line without secrets", () => {
    const token = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;
    const name =
      actingName({ as: `Ann\n\u001b[31m ${token}${"x ".repeat(99)}`, root, environment: {} }) ?? "";
    expect(name).toMatch(/^Ann /);
    for (const unwanted of ["\n", "\u001b", "ghp_"]) expect(name).not.toContain(unwanted);
    expect(name.length).toBeLessThanOrEqual(60);
  });
});
