import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { continuityPath } from "../../src/working/continuity-file.js";
import { put, scratchFolder } from "../support/scratch.js";

let home: string;
beforeEach(() => {
  home = scratchFolder();
});

describe("the path of the continuity file", () => {
  it("is relative to the project folder, whether it exists or not", () => {
    expect(continuityPath(home, ".agent/CONTINUITY.md")).toBe(join(home, ".agent/CONTINUITY.md"));
    expect(continuityPath(home, "docs/../NOW.md")).toBe(join(home, "NOW.md"));
  });

  it.each([["../outside.md"], ["a/../../outside.md"], ["/tmp/outside.md"], ["."], [".."]])(
    "must be inside the project: %s",
    (setting) => {
      expect(() => continuityPath(home, setting)).toThrow(/continuity\.path is outside the project/);
    },
  );

  it("must not be a link out of the project, even to a missing file", () => {
    const outside = scratchFolder();
    symlinkSync(outside, join(home, "folder"));
    symlinkSync(join(outside, "none.md"), join(home, "file.md"));
    expect(() => continuityPath(home, "folder/x.md")).toThrow(/is a link out of the project/);
    expect(() => continuityPath(home, "file.md")).toThrow(/is a link out of the project/);
    symlinkSync("loop.md", join(home, "loop.md"));
    expect(() => continuityPath(home, "loop.md")).toThrow(/Too many levels of symbolic links/);
  });

  it("follows links that stay inside", () => {
    mkdirSync(join(home, "real"));
    symlinkSync("real", join(home, "link"));
    expect(continuityPath(home, "link/x.md")).toBe(join(home, "link/x.md"));
  });

  it("is never a file of another tool, even through a link", () => {
    put(home, ".agent/scratchpad.md", "");
    symlinkSync("scratchpad.md", join(home, ".agent/now.md"));
    for (const name of ["scratchpad.md", "memories.md", "Scratchpad.MD", "now.md"])
      expect(() => continuityPath(home, `.agent/${name}`)).toThrow(/is a file of another tool/);
  });

  it.each([".git/x.md", ".ralph/x.md", "ralph.yml", "package.json", ".agent/skills/a/SKILL.md"])(
    "must be a Markdown file outside reserved folders, not %s",
    (setting) => {
      expect(() => continuityPath(home, setting)).toThrow(
        /^continuity\.path is (?:a file of another tool|not a Markdown file|inside )/,
      );
    },
  );

  it("must not link to a file that is not Markdown", () => {
    put(home, ".git/config", "");
    symlinkSync(".git/config", join(home, "now.md"));
    expect(() => continuityPath(home, "now.md")).toThrow(/is not a Markdown file/);
  });
});
