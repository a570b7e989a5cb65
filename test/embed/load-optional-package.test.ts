import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadOptionalPackage } from "../../src/embed/load-optional-package.js";
import { scratchFolder } from "../support/scratch.js";

function install(folder: string, name: string, code: string): void {
  const home = join(folder, "node_modules", name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
  writeFileSync(join(home, "index.js"), code);
}

describe("an optional package", () => {
  it("is loaded from the first folder that has it", () => {
    const [empty, project, home] = [scratchFolder(), scratchFolder(), scratchFolder()];
    install(project, "some-embedder", "exports.from = 'project';");
    install(home, "some-embedder", "exports.from = 'home';");
    const loaded = loadOptionalPackage<{ from: string }>("some-embedder", [empty, project, home], "it");
    expect(loaded.from).toBe("project");
  });

  it("is reported with its install command if it is missing", () => {
    const load = () => loadOptionalPackage("no-such-embedder", [scratchFolder()], "no-such-embedder@1");
    expect(load).toThrow(
      expect.objectContaining({
        code: "missing-package",
        message: "The package no-such-embedder is not installed",
        hint: expect.stringContaining("npm install no-such-embedder@1") as string,
      }),
    );
  });

  it("is reported with the reason if it fails to load", () => {
    const folder = scratchFolder();
    install(folder, "broken-embedder", "throw new Error('no binary for this machine');");
    expect(() => loadOptionalPackage("broken-embedder", [folder], "broken-embedder")).toThrow(
      "cannot be loaded: no binary for this machine",
    );
  });
});
