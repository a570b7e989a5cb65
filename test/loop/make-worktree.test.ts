import { describe, expect, it } from "vitest";
import { slugOf, worktreeSteps } from "../../src/loop/start/make-worktree.js";

describe("the name of a worktree", () => {
  it.each([
    ["Fix the login test!", "fix-the-login-test"],
    ["Update: the 3 dépendances\nand more", "update-the-3-dependances"],
    ["../../etc/passwd; rm -rf", "etc-passwd-rm-rf"],
    ["価格", "task"],
    [`${"x".repeat(99)} y`, "x".repeat(32)],
    ["one two three four five six seven eight nine", "one-two-three-four-five-six"],
  ])("comes from the objective %j", (objective, slug) => {
    expect(slugOf(objective)).toBe(slug);
  });

  it("is quoted in the commands where a shell needs that", () => {
    const { remove } = worktreeSteps({ folder: "/my work/it's-fix", branch: "ralph/fix" });
    expect(remove).toBe("git worktree remove '/my work/it'\\''s-fix' && git branch -d ralph/fix");
  });
});
