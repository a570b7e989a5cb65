import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginMarker, endMarker, readSection, replaceSection } from "../../src/working/continuity-file.js";
import { publishedContinuity } from "../support/published.js";

const path = "CONTINUITY.md";
const replace = (text: string, section: string) =>
  replaceSection(Buffer.from(text), section, path).toString();

const line = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "# Title", "<!--", "-->", `see ${beginMarker} and ${endMarker}`, "## Current Task"),
);
/** Files without markers, as people, tools and accidents make them. */
const prose = fc
  .tuple(fc.array(fc.tuple(line, fc.constantFrom("\n", "\n", "\r\n"))), fc.uint8Array({ maxLength: 6 }))
  .map(([lines, tail]) =>
    Buffer.concat([Buffer.from(lines.map(([text, end]) => text + end).join("")), Buffer.from(tail)]),
  )
  // A marker in an example of code is only shown; those have a test of their own.
  .filter((bytes) => !/^ {0,3}(?:```|~~~)/m.test(bytes.toString("latin1")))
  .filter((bytes) => !/^[\xfe\xff]{2}/.test(bytes.toString("latin1")))
  .filter((bytes) => !/^(?:\xef\xbb\xbf)?[ \t]*<!--[ \t]*ralph:/m.test(bytes.toString("latin1")));
const section = fc
  .array(fc.string({ unit: "grapheme" }))
  .map((lines) => lines.map((text) => `- ${text.replace(/[\r\n]/g, " ")}\n`).join(""));

describe("the managed section", () => {
  it("keeps every other byte of any file, however often it is replaced", () => {
    fc.assert(
      fc.property(
        prose,
        prose,
        fc.constantFrom("\n", "\r\n"),
        fc.array(section, { minLength: 1 }),
        (before, after, end, sections) => {
          const open = Buffer.from(
            `${before.length > 0 && before.at(-1) !== 10 ? end : ""}${beginMarker}${end}`,
          );
          const close = Buffer.from(`${endMarker}${end}`);
          let bytes: Buffer = Buffer.concat([before, open, Buffer.from(`old${end}`), close, after]);
          for (const text of sections) bytes = replaceSection(bytes, text, path);
          const written = (sections.at(-1) ?? "").replaceAll("\n", end);
          expect(bytes.equals(Buffer.concat([before, open, Buffer.from(written), close, after]))).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is appended to any file that has none, once", () => {
    fc.assert(
      fc.property(prose, section, section, (bytes, first, second) => {
        const once = replaceSection(bytes, first, path);
        expect(once.subarray(0, bytes.length).equals(bytes)).toBe(true);
        expect(readSection(once, path)?.replaceAll("\r\n", "\n")).toBe(first);
        const twice = replaceSection(once, second, path);
        expect(twice.subarray(0, bytes.length).equals(bytes)).toBe(true);
        expect(replaceSection(twice, first, path).equals(once)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps CRLF line endings and a byte order mark", () => {
    expect(replace("\ufeff# Mine\r\ntext", "- a\n- b\n")).toBe(
      `\ufeff# Mine\r\ntext\r\n\r\n${beginMarker}\r\n- a\r\n- b\r\n${endMarker}\r\n`,
    );
    expect(replace(`\ufeff${beginMarker}\r\nold\r\n${endMarker}`, "new\n")).toBe(
      `\ufeff${beginMarker}\r\nnew\r\n${endMarker}`,
    );
  });

  it("leaves a published file around it unchanged", () => {
    const changed = replace(publishedContinuity, "- x\n");
    expect(changed.startsWith(publishedContinuity)).toBe(true);
    expect(replace(`${changed}\nmine\n`, "- y\n")).toBe(`${changed.replace("- x", "- y")}\nmine\n`);
  });

  it("starts a new file with a line that says who owns what", () => {
    const text = replaceSection(undefined, "- x\n", path).toString();
    expect(text).toMatch(
      /^# Continuity\n\n.*everything else is yours\.\n\n<!-- ralph:begin -->\n- x\n<!-- ralph:end -->\n$/,
    );
  });
});

describe("markers that are not a single pair are rejected with their line", () => {
  it.each([
    [`a\n${beginMarker}\nb\n`, /line 2: the begin marker has no end marker/],
    [`a\n\n${endMarker}\n`, /line 3: the end marker has no begin marker/],
    [`${endMarker}\n${beginMarker}\n`, /line 1: the end marker has no begin marker/],
    [`${beginMarker}\n${endMarker}\n${beginMarker}\n${endMarker}\n`, /line 3: a second begin marker/],
    [`${beginMarker}\n${endMarker}\nx\n${endMarker}\n`, /line 4: a second end marker/],
    [`${beginMarker}\n${beginMarker}\n${endMarker}\n`, /line 2: a second begin marker/],
    [`${beginMarker}\n${beginMarker}\n${endMarker}\n${endMarker}\n`, /line 2: .*inside another section/],
    [`${beginMarker} and more\n${endMarker}\n`, /line 1: a marker must be alone on its line/],
    [`<!--ralph:begin-->\r\n<!-- ralph:begin -->\r\n`, /line 2: a second begin marker/],
  ])("%j", (text, message) => {
    expect(() => replace(text, "x\n")).toThrow(message);
    expect(() => readSection(Buffer.from(text), path)).toThrow(message);
  });

  it("as is UTF-16 text", () => {
    const wide = Buffer.from("\ufeffhello", "utf16le");
    expect(() => replaceSection(wide, "x\n", path)).toThrow(/UTF-16/);
  });

  it("do not count inside a code block", () => {
    const shown = `\`\`\`\n${beginMarker}\nMINE\n${endMarker}\n\`\`\`\n\n    ${beginMarker}\n    MINE\n    ${endMarker}\n`;
    const once = replace(shown, "- a\n");
    expect(once).toBe(`${shown}\n${beginMarker}\n- a\n${endMarker}\n`);
    expect(replace(once, "- b\n")).toBe(once.replace("- a", "- b"));
  });

  it("are found after an unclosed fence", () => {
    const text = `\`\`\`\nopen\n\n${beginMarker}\n- a\n${endMarker}\n`;
    expect(replace(text, "- b\n")).toBe(text.replace("- a", "- b"));
  });
});
