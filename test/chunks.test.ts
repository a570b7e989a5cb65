import { describe, expect, it } from "vitest";
import { chunkOf, chunks } from "../chunks.mjs";
import { importsOf, readSource, sourceFiles } from "./support/source-imports.js";

const inRooms = sourceFiles.filter((file) => file.includes("/"));
const folders = new Set(inRooms.flatMap(foldersAbove));

function foldersAbove(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

describe("the files of the bundled command", () => {
  it("hold every source file: each falls into one of them by its folder", () => {
    expect(inRooms.filter((file) => chunkOf(file) === undefined)).toEqual([]);
  });

  it("are defined by folders and files that exist, each listed once", () => {
    const listed = Object.values(chunks).flat();
    const files = new Set(sourceFiles.map((file) => file.replace(/\.ts$/, "")));
    expect(listed.filter((place) => !folders.has(place) && !files.has(place))).toEqual([]);
    expect(listed).toEqual([...new Set(listed)]);
  });

  it("can be plain ASCII: what no bundler may escape is escaped in the source", () => {
    const raw = /String\.raw`[^`]*[^\n -~][^`]*`/;
    expect(sourceFiles.filter((file) => raw.test(readSource(file)))).toEqual([]);
  });

  it("may copy what they export: no export is changed after its file was loaded", () => {
    expect(sourceFiles.filter((file) => /^export (?:let|var)\b/m.test(readSource(file)))).toEqual([]);
  });

  it("do not import each other in a circle", () => {
    const imports = new Map<string, Set<string>>();
    for (const file of inRooms)
      for (const imported of importsOf(file)) {
        const [from, to] = [chunkOf(file) ?? "", chunkOf(imported.file)];
        if (imported.kind !== "static" || to === undefined || to === from) continue;
        imports.set(from, (imports.get(from) ?? new Set()).add(to));
      }
    const withoutImports = () =>
      [...imports].filter(([, others]) => ![...others].some((to) => imports.has(to)));
    for (let free = withoutImports(); free.length > 0; free = withoutImports())
      for (const [chunk] of free) imports.delete(chunk);
    expect([...imports.keys()]).toEqual([]);
  });
});
