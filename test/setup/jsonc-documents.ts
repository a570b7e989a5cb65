import fc from "fast-check";

/** White space and comments that may stand between two tokens. */
const gap = fc.oneof(
  { weight: 6, arbitrary: fc.constant("") },
  { weight: 4, arbitrary: fc.constantFrom(" ", "\n", "\n  ", "\n\t", "\r\n  ", "  ", "\n\n    ") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...["/* c */", " // note\n", " // note  \n  ", "\n  // above\n  ", "/* a\n b */", " // x\r\n", "/**/"],
    ),
  },
);

const scalarText = fc.oneof(
  fc.string({ maxLength: 8, unit: "grapheme" }).map((text) => JSON.stringify(text)),
  fc.integer().map(String),
  fc.constantFrom("true", "false", "null", "1.5e3", '"// no comment"', '"a, b"', '"}"'),
);

function separated(items: fc.Arbitrary<string>[], open: string, close: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.tuple(...items.map((item) => fc.tuple(gap, item, gap))), gap, fc.boolean(), gap)
    .map(([parts, empty, hasTrailingComma, last]) => {
      if (parts.length === 0) return `${open}${empty}${close}`;
      const inside = parts.map((part) => part.join("")).join(",");
      return `${open}${inside}${hasTrailingComma ? `,${last}` : ""}${close}`;
    });
}

function listOf(item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.nat({ max: 3 }).chain((count) => separated(Array(count).fill(item), "[", "]"));
}

/** An object with any of these members, in any order. */
function objectOf(members: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> {
  return fc.shuffledSubarray(Object.keys(members)).chain((keys) =>
    separated(
      keys.map((key) =>
        fc
          .tuple(gap, gap, members[key] as fc.Arbitrary<string>)
          .map(([before, after, value]) => `${JSON.stringify(key)}${before}:${after}${value}`),
      ),
      "{",
      "}",
    ),
  );
}

const value = fc.oneof(scalarText, listOf(scalarText), objectOf({ a: scalarText, "b c": scalarText }));
const handler = objectOf({
  type: fc.constant('"command"'),
  command: fc.constantFrom('"echo hi"', '"ralph list"'),
});
const group = objectOf({ matcher: fc.constant('"Bash"'), hooks: listOf(handler) });
const hooks = objectOf({
  SessionStart: listOf(group),
  UserPromptSubmit: listOf(group),
  Stop: listOf(group),
  SessionEnd: listOf(group),
  AfterTool: listOf(group),
  Other: listOf(group),
});
const servers = objectOf({ other: objectOf({ command: fc.constant('"other"') }), more: fc.constant("{}") });

/** Settings of an agent as somebody may have written them, with comments, trailing commas and any white space. */
export const settingsDocument: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("", "\ufeff"),
    gap,
    objectOf({ permissions: value, hooks, mcpServers: servers, mcp: servers, env: value }),
    gap,
    fc.constantFrom("", "\n", "\r\n"),
  )
  .map((parts) => parts.join(""));
