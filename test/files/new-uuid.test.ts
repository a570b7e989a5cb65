import { expect, it } from "vitest";
import { newUuid } from "../../src/files/new-uuid.js";

it("a new UUID is a random one of version 4, and never the same", () => {
  const made = Array.from({ length: 1000 }, newUuid);
  for (const uuid of made)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(made).size).toBe(made.length);
});
