import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseNote } from "../../src/interop/importers/basic-memory-note.js";
import { loadLayout } from "../../src/interop/layout.js";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { describeLayout, take, write } from "./layout-contract.js";

const invoice = `---
title: Invoice Totals
type: note
permalink: main/invoice-totals
tags:
- billing
created: 2026-02-01T10:00:00+00:00
status: active
---

# Invoice Totals

Prose with a link to [[Receipts]] stays prose.

## Observations
- [decision] Amounts are integer pennies #money #int (agreed in review)
- [gotcha] Floats drift (see issue (7))
- Only a tag #lonely
- [ ] Convert old invoices
- [x] Add tests
- [-] Called off
- [00:12:05] a transcript
- [a link](https://example.org)
- [tip] both at once #a#b

\`\`\`
- [code] is no observation
\`\`\`

## Relations
- depends_on [[Cart]]
- "part of" [[Shop]] (main)
- relates to prose [[Cart]]
- [[Bare]]
`;
const files = {
  "notes/Invoice Totals.md": invoice,
  "notes/cart.md": "---\ntitle: Cart\ntags: a, b\n---\nThe cart sums prices.\n",
  "plain.md": "No front matter at all\r\n",
};

describeLayout({
  layout: "basic-memory",
  files,
  counts: { note: 3, learning: 4, task: 2, link: 5 },
  found: [
    "stays prose",
    "Amounts are integer pennies",
    "Floats drift (see issue (7))",
    "Convert old invoices",
  ],
  saying: (text) => ({ "a.md": `${text}\n` }),
});

describe("notes of basic-memory", () => {
  const layout = "basic-memory" as const;

  it("are parsed as their own program does", () => {
    const { items, mentions } = parseNote(invoice);
    const observations = items.filter((item) => item.kind === "observation");
    expect(observations.map(({ category, tags, context }) => ({ category, tags, context }))).toEqual([
      { category: "decision", tags: ["money", "int"], context: "agreed in review" },
      { category: "gotcha", tags: [], context: "" },
      { category: "", tags: ["lonely"], context: "" },
      { category: "tip", tags: ["a", "b"], context: "" },
    ]);
    const relations = items.filter((item) => item.kind === "relation");
    expect([mentions, relations.map(({ word, target }) => `${word} ${target}`)]).toEqual([
      ["Receipts"],
      ["depends_on Cart", "part of Shop", "links_to Cart", "links_to Bare"],
    ]);
  });

  it("are joined with the notes that they name, and with no others", async () => {
    const memory = await openScratchMemory();
    const report = await take(memory, { layout }, write(files));
    expect(report.dangling.map(({ to, relation }) => `${relation} ${to}`)).toEqual([
      ...["related_to Receipts", "elaborates Shop", "related_to Bare"],
    ]);
    expect(await memory.links.list()).toHaveLength(1);
  });

  it("are those of the project that has its name, else those of no project", async () => {
    const home = write({ "basic-memory/a.md": "x", "shop-notes/b.md": "y" });
    const config = {
      projects: { shop: { path: join(home, "shop-notes") }, main: join(home, "basic-memory") },
    };
    const folder = write({ "config.json": config });
    const { find } = await loadLayout(layout);
    const environment = { BASIC_MEMORY_CONFIG_DIR: folder };
    expect(find({ root: "/x/shop", home, environment })).toEqual([join(home, "shop-notes")]);
    expect(find({ root: "/x/other", home, environment })).toEqual([join(home, "basic-memory")]);
  });
});
