import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface LockedPackage {
  resolved?: string;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "package-lock.json"), "utf8"),
) as {
  packages: Record<string, LockedPackage>;
};

/** Where npm looks for a package that another one needs: in its own folder first, then in those above. */
function findLocked(from: string, name: string): LockedPackage | undefined {
  const folders = from === "" ? [] : from.split("/node_modules/");
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const folder = folders.slice(0, depth).join("/node_modules/");
    const found = packages[folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`];
    if (found !== undefined) return found;
  }
  return undefined;
}

describe("package-lock.json", () => {
  it("locks the packages of every system, not only of the one that it was written on", () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => findLocked(path, name) === undefined)
        .map((name) => `${name} for ${path}`),
    );
    expect(missing).toEqual([]);
    for (const system of ["darwin-arm64", "linux-x64", "win32-x64"])
      expect(Object.keys(packages).filter((path) => path.includes(system)).length).toBeGreaterThan(1);
  });

  it("names no registry, so that everybody installs from their own", () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});
