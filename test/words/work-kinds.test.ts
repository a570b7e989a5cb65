import { describe, expect, it } from "vitest";
import { workKinds } from "../../src/words/work-kinds.js";

const kindsOf = (objective: string, files: string[] = []) => [...workKinds(objective, files).keys()];

describe("kinds of work", () => {
  it("are told by the words of the first line", () => {
    expect(kindsOf("Bump pytest to 8.2")).toEqual(["upgrade"]);
    expect(kindsOf("Move the billing service to Java 21")).toContain("upgrade");
    expect(kindsOf("Explain how backups work")).toEqual(["documentation"]);
    expect(kindsOf("Checkout takes five seconds")).toEqual(["performance"]);
    expect(kindsOf("Add a column for the tax number")).toEqual(["schema"]);
    expect(kindsOf("Add PUT /carts/:id")).toEqual(["endpoint"]);
    expect(kindsOf("Stabilise the mailer tests")).toEqual(["flakiness"]);
    expect(kindsOf("Add a cart\nThe README says how")).toEqual([]);
  });

  it("are told by files, less surely than by words", () => {
    expect(workKinds("Say what a cart is", ["docs/cart.md"]).get("documentation")).toBeLessThan(1);
    const [most, some] = [
      ["db/migrations/7.sql", "src/cart.go"],
      ["a.go", "b.go", "c.go", "db/migrations/7.sql"],
    ].map((files) => workKinds("Count carts", files).get("schema") ?? 0);
    expect(most).toBeGreaterThan(some ?? 1);
  });

  it("are none for work that could be anything", () => {
    for (const objective of ["Fix the bug", "Add a button", "Implement the feature", "Improve the code"])
      expect(kindsOf(objective)).toEqual([]);
  });
});
