import { describe, expect, it } from "vitest";
import { frameOf, frameSimilarity } from "../../../src/recall/similar/objective-frame.js";

const compare = (one: string, other: string) => frameSimilarity(frameOf(one), frameOf(other));

describe("objectives as sentences with slots", () => {
  it("split paths into segments and leave numbers out", () => {
    expect(frameOf("Implement GET /api/users/:id endpoint")).toEqual([
      "implement",
      "/api",
      "/user",
      "/:",
      "endpoint",
    ]);
    expect(frameOf("Upgrade Go to v1.23.")).toEqual(["upgrad", "go", "#"]);
  });

  it("are near if only a name, a path or a number differs", () => {
    expect(
      compare("Add the ListOrders RPC to the ledger", "Add the GetOrder RPC to the ledger"),
    ).toBeGreaterThan(0.7);
    expect(
      compare("Implement POST /v2/carts endpoint", "Implement POST /v2/refunds endpoint"),
    ).toBeGreaterThan(0.7);
    expect(compare("Migrate invoices to the ledger, part 3", "Migrate invoices to the ledger, part 4")).toBe(
      1,
    );
  });

  it("are far if they share common words or one thing only", () => {
    expect(compare("Fix the failing login", "Fix the failing import")).toBeLessThan(0.5);
    expect(compare("Add a button", "Add a report")).toBeLessThan(0.2);
    expect(compare("Extract prices from the ledger service", "Document the ledger")).toBeLessThan(0.3);
    expect(compare("", "Add a report")).toBe(0);
  });
});
