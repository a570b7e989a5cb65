import { describe, expect, it } from "vitest";
import { shownAddress } from "../../../src/text/secrets/shown-address.js";

describe("an address that is shown", () => {
  it("has no password, wherever in it that is", () => {
    expect(shownAddress("postgres://ann:pw@db/ralph")).toBe("postgres://ann:***@db/ralph");
    expect(shownAddress("postgres://ann:p%40w@db:5432/ralph")).toBe("postgres://ann:***@db:5432/ralph");
    expect(shownAddress("postgres://ann:p@w@db/ralph")).toBe("postgres://ann:***@db/ralph");
    expect(shownAddress("postgres:///ralph?user=ann&password=pw")).toBe(
      "postgres:///ralph?user=ann&password=***",
    );
    expect(shownAddress("https://ann:pw@example.com/v1")).toBe("https://ann:***@example.com/v1");
  });

  it("is otherwise as it was written", () => {
    for (const address of [
      "postgres://ann@db/ralph?host=/run/postgresql",
      "https://api.example.com/v1",
      "",
      "npm test",
      "ann@example.com",
    ])
      expect(shownAddress(address)).toBe(address);
  });

  it("shows nothing before the host of what is no valid address", () => {
    expect(shownAddress("postgres://ann:pw@db:port/ralph")).toBe("postgres://***@db:port/ralph");
  });
});
