import { win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { isInside } from "../../src/files/path-inside.js";
import { actionFromProject, relativePath } from "../../src/files/relative-path.js";

describe("a path in a project", () => {
  it.each([
    ["/p/src/a.ts", "src/a.ts"],
    ["./src/a.ts", "src/a.ts"],
    ["src/a.ts", "src/a.ts"],
    ["/other/a.ts", "/other/a.ts"],
    ["/p", "/p"],
  ])("is relative to its root: %s", (path, expected) => {
    expect(relativePath("/p", path)).toBe(expected);
  });

  it.each([
    ["C:\\p\\src\\a.ts", "src/a.ts"],
    ["src\\a.ts", "src/a.ts"],
    [".\\src\\a.ts", "src/a.ts"],
    ["D:\\p\\a.ts", "D:\\p\\a.ts"],
  ])("is relative to its root, with slashes, on Windows: %s", (path, expected) => {
    expect(relativePath("C:\\p", path, win32)).toBe(expected);
  });

  it("is not inside a folder of another drive, of another name or above it", () => {
    expect(isInside("C:\\p", "C:\\p\\a", win32)).toBe(true);
    for (const path of ["D:\\p\\a", "C:\\pp", "C:\\", "\\\\server\\p\\a"])
      expect([path, isInside("C:\\p", path, win32)]).toEqual([path, false]);
    expect([isInside("/p", "/p/a"), isInside("/p", "/pp")]).toEqual([true, false]);
  });
});

describe("a command that was run in a folder of the project", () => {
  it.each([
    ["npm install luxon", "cd packages/api && npm install luxon"],
    ["# what is missing\nnpm install luxon", "cd packages/api\n# what is missing\nnpm install luxon"],
    ["cd /p && npm install luxon", "npm install luxon"],
    ["cd packages/api && npm test", "cd packages/api && npm test"],
  ])("is told with it, unless it may have changed the folder itself: %s", (command, told) => {
    const action = { type: "bash", params: { command } };
    expect(actionFromProject("/p", action, "/p/packages/api").params.command).toBe(told);
  });

  it.each(["dir_path", "directory", "workdir"])("is told with the folder that its %s names", (name) => {
    const params = { command: "npm install luxon", [name]: "packages/api" };
    expect(actionFromProject("/p", { type: "bash", params }).params.command).toBe(
      "cd packages/api && npm install luxon",
    );
  });

  it.each(["my pkg", "app/(auth)", "a&b"])(
    "is told with a folder that the shell reads as one name: %s",
    (folder) => {
      const action = { type: "bash", params: { command: "npm test" } };
      expect(actionFromProject("/p", action, `/p/${folder}`).params.command).toBe(
        `cd "${folder}" && npm test`,
      );
    },
  );

  it("is told as it is in the root, outside of the project, and where it is no command", () => {
    const params = { command: "npm test" };
    for (const folder of ["/p", "/other"])
      expect(actionFromProject("/p", { type: "bash", params }, folder).params).toEqual(params);
    expect(actionFromProject("/p", { type: "edit", params }, "/p/packages/api").params).toEqual(params);
  });
});
