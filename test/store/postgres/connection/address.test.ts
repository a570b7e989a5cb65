import { describe, expect, it } from "vitest";
import { parseAddress } from "../../../../src/store/postgres/connection/address.js";

describe("the address of a server", () => {
  it.each(["strange", "constructor", "__proto__"])("has no sslmode called %s", (mode) => {
    expect(() => parseAddress(`postgres://db.example.com/ralph?sslmode=${mode}`, {})).toThrow(
      `sslmode is ${mode}; possible are disable, require`,
    );
  });
});
