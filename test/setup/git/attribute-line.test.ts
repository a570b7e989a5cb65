import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addAttribute,
  attributeLine,
  hasAttribute,
  removeAttribute,
} from "../../../src/setup/merge-driver.js";

describe("the line in .gitattributes", () => {
  it("is added once, and taken out again to the byte", () => {
    const line = fc.constantFrom(
      "*.png binary",
      "# comment",
      "",
      `${attributeLine} eol=lf`,
      `/${attributeLine}`,
    );
    const text = fc
      .tuple(fc.array(line), fc.constantFrom("\n", "\r\n"), fc.boolean())
      .map(([lines, end, isOpen]) => (isOpen ? lines.join(end) : lines.map((each) => each + end).join("")));
    fc.assert(
      fc.property(fc.option(text, { nil: undefined }), (before) => {
        const added = addAttribute(before);
        expect(hasAttribute(added)).toBe(true);
        expect(addAttribute(added)).toBe(added);
        expect(removeAttribute(added)).toBe(before);
      }),
    );
  });

  it("is taken out from between what was written later", () => {
    expect(removeAttribute(`a\n${attributeLine}\nb`)).toBe("a\nb");
    expect(removeAttribute("a\n")).toBe("a\n");
  });
});
