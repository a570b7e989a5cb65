import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { sha256 } from "../domain/sha256.js";
import { isObject } from "../domain/shape.js";
import { transformersPackage } from "./minilm.js";
import { useLitePackages } from "./use-lite.js";

/** A package of a project that an embedder would load. */
interface ProjectPackage {
  name: string;
  /** Its version, and a digest of the file that would be run. */
  content: string;
}

const packagesOf: Readonly<Record<string, readonly string[]>> = {
  minilm: [transformersPackage],
  "use-lite": useLitePackages,
};

/** The packages in a folder's own `node_modules` that an embedder would load. */
export function findProjectPackages(embedder: string, folder: string): ProjectPackage[] {
  return (packagesOf[embedder] ?? []).flatMap((name) => {
    try {
      const manifest: unknown = JSON.parse(
        readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"),
      );
      const version = isObject(manifest) ? String(manifest.version) : "";
      const entry = createRequire(join(folder, "package.json")).resolve(name);
      const digest = sha256(readFileSync(entry));
      return [{ name, content: `${version} ${digest}` }];
    } catch {
      // Without a manifest or an entry it is no package that could be loaded.
      return [];
    }
  });
}
