import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { settingKeys } from "../../src/config/loading/schema.js";
import { isInside } from "../../src/files/path-inside.js";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => join("src", path));
const configFolder = dirname(sources.find((path) => basename(path) === "default-settings.ts") ?? "");
const code = sources
  .filter((path) => !isInside(configFolder, path))
  .map((path) => withoutComments(readFileSync(path, "utf8")))
  .join("\n");
/** What is between the braces of `const { "a.b": name } = settings`. */
const destructured = [...code.matchAll(/\{([^{}]*)\}\s*=\s/g)].map(([, names]) => names).join("\n");

it("every setting is read outside src/config", () => {
  expect(configFolder).not.toBe("");
  expect(settingKeys.filter((key) => !isRead(key))).toEqual([]);
});

/** Naming a key is not enough: it must be looked up. */
function isRead(key: string): boolean {
  return (
    code.includes(`["${key}"]`) || code.includes(`settings.${key}`) || destructured.includes(`"${key}":`)
  );
}

function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\//gs, "").replace(/^\s*\/\/.*$/gm, "");
}
