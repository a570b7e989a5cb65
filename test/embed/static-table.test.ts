import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStaticTable } from "../../src/embed/static-table.js";
import { scratchFolder } from "../support/scratch.js";

const words: Record<string, number[]> = {
  the: [0.5, 0.5, 0.5],
  // Frequent words come first, and most are rarer than "the" by far.
  ...Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`filler${index}`, [0, 1, 0]])),
  car: [1, 0, 0],
  automobile: [0.9, 0.1, 0],
  database: [0, 0, 1],
};

function writeText(header = ""): string {
  const path = join(scratchFolder(), "words.txt");
  const lines = Object.entries(words).map(([word, vector]) => `${word} ${vector.join(" ")}\n`);
  writeFileSync(path, header + lines.join(""));
  return path;
}

function writeCompact(): string {
  const path = join(scratchFolder(), "words.vectors");
  const vectors = Object.values(words);
  const scales = Buffer.alloc(vectors.length * 4);
  for (const row of vectors.keys()) scales.writeFloatLE(1 / 127, row * 4);
  const values = Int8Array.from(vectors.flat(), (value) => Math.round(value * 127));
  const header = JSON.stringify({ format: "word-vectors", dimensions: 3, words: vectors.length });
  writeFileSync(
    path,
    Buffer.concat([
      Buffer.from(`${header}\n${Object.keys(words).join(" ")}\n`),
      scales,
      Buffer.from(values.buffer),
    ]),
  );
  return path;
}

const cosine = (one: Float32Array, other: Float32Array) => {
  const product = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other));
};

async function likeness(path: string, one: string, other: string): Promise<number> {
  const embedder = openStaticTable({ name: "static words", path });
  const [first, second] = await embedder.embed([one, other]);
  if (first === undefined || second === undefined) throw new Error("two vectors were expected");
  return cosine(first, second);
}

describe("a word vector file", () => {
  it.each([
    ["compact", () => writeCompact()],
    ["text", () => writeText()],
    ["text with a first line of counts", () => writeText(`${Object.keys(words).length} 3\n`)],
  ])("gives words of similar meaning similar vectors: %s", async (_format, write) => {
    const path = write();
    expect(openStaticTable({ name: "static words", path }).dimensions).toBe(3);
    expect(await likeness(path, "the car", "the automobile")).toBeGreaterThan(0.95);
    expect(await likeness(path, "the car", "the database")).toBeLessThan(0.5);
  });

  it("gives frequent words little weight", async () => {
    expect(await likeness(writeText(), "the the the car", "car")).toBeGreaterThan(0.9);
  });

  it("splits identifiers", async () => {
    expect(await likeness(writeText(), "CarDatabase", "the car, the database")).toBeGreaterThan(0.99);
  });

  it("gives a text without known words a zero vector", async () => {
    const [vector] = await openStaticTable({ name: "static words", path: writeText() }).embed(["zzz"]);
    expect([...(vector ?? [])]).toEqual([0, 0, 0]);
  });

  it.each([
    ["prose", "This is not a table\nat all\n"],
    ["a line that is too short", "car 1 0 0\nbus 1 0\n"],
    ["nothing", ""],
    ["another JSON", "{}\n\n"],
    ["a header that promises more", '{"format":"word-vectors","dimensions":3,"words":2}\ncar bus\nxx'],
  ])("is refused when it is %s", (_what, content) => {
    const path = join(scratchFolder(), "words.txt");
    writeFileSync(path, content);
    expect(() => openStaticTable({ name: "static words", path })).toThrow("Not a word vector file");
  });

  it("is named if it does not exist", () => {
    const path = join(scratchFolder(), "none.txt");
    expect(() => openStaticTable({ name: "static none", path })).toThrow(
      `Cannot read the word vector file: ${path}`,
    );
  });
});
