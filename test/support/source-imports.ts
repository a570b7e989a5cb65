import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export const projectRoot = resolve(import.meta.dirname, "../..");
export const sourceFolder = join(projectRoot, "src");

/** Every source file, by its path below `src/`. */
export const sourceFiles = readdirSync(sourceFolder, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts"),
);

export const readSource = (file: string) => readFileSync(join(sourceFolder, file), "utf8");

export interface SourceImport {
  /** The imported file, by its path below `src/`. */
  file: string;
  /** `type` loads no code; `lazy` loads it on first use. */
  kind: "static" | "lazy" | "type";
}

/** What a source file imports from other source files. */
export function importsOf(file: string): SourceImport[] {
  const pattern = /^(?:import|export)\s([^"]*?)\sfrom\s"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;
  return [...readSource(file).matchAll(pattern)].map(([, names = "", path, lazyPath]) => ({
    file: relative(sourceFolder, resolve(sourceFolder, dirname(file), path ?? lazyPath ?? "")).replace(
      /\.js$/,
      ".ts",
    ),
    kind: path === undefined ? "lazy" : isTypeOnly(names) ? "type" : "static",
  }));
}

function isTypeOnly(names: string): boolean {
  if (names.startsWith("type ")) return true;
  const listed = /^\{([\s\S]*)\}$/.exec(names)?.[1];
  const each = listed?.split(",").filter((name) => name.trim() !== "");
  return each?.every((name) => name.trim().startsWith("type ")) ?? false;
}
