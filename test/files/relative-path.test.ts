import { describe, expect, it } from "vitest";
import { relativePath } from "../../src/files/relative-path.js";

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
});
