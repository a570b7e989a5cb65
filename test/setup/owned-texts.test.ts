import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteWords, splitWords } from "../../src/setup/own-program.js";
import { cutBlock, examineSeal, findBlock, putBlock, seal } from "../../src/setup/owned-files.js";

const marks = { start: "<!-- begin -->", end: "<!-- end -->" };

describe("a managed block", () => {
  const line = fc.constantFrom("", "# Title", "text", "  ", "<!-- begin -->", "ends <!-- end -->");

  it("leaves everything around it as it was, byte for byte", () => {
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom("\n", "\r\n"), fc.boolean(), (lines, lineEnd, isClosed) => {
        const before = lines.join(lineEnd) + (isClosed ? lineEnd : "");
        const after = putBlock(before, marks, "one\ntwo\n");
        expect(findBlock(after, marks)?.content).toBe("one\ntwo\n");
        expect(putBlock(after, marks, "one\ntwo\n")).toBe(after);
        expect(cutBlock(after, marks)).toBe(before);
        expect(cutBlock(putBlock(after, marks, "three"), marks)).toBe(before);
      }),
    );
  });

  it("is the whole of a file that was made for it", () => {
    expect(cutBlock(putBlock(undefined, marks, "x"), marks)).toBeUndefined();
  });
});

describe("a sealed text", () => {
  it("is known as ours until somebody changes it", () => {
    const comment = { open: "//", close: "" };
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (text, more) => {
        const sealed = seal(`${text}\n`, comment);
        expect(examineSeal(sealed, comment)).toBe("own");
        expect(examineSeal(sealed + more, comment)).toBe("changed");
        expect(examineSeal(more + sealed, comment)).toBe("changed");
        expect(examineSeal(text, comment)).toBe("foreign");
      }),
    );
  });
});

describe("words of a command", () => {
  it("come back from a shell's quotes as they were", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), (words) => {
        expect(splitWords(quoteWords(words))).toEqual(words);
      }),
    );
  });

  it.each(["a; b", "a | b", "$(a)", "a && b", "`a`", "a > b", "$HOME/ralph", "a 'open", "~/ralph", "a\nb"])(
    "are not told where a shell does more than call a program: %j",
    (command) => expect(splitWords(command)).toBeUndefined(),
  );

  it("are told from any quotes that people write", () => {
    expect(splitWords(`"/my place/node"  a\\ b 'c d'"e" `)).toEqual(["/my place/node", "a b", "c de"]);
  });
});
