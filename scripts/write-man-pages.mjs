// Writes man/ from the commands' own help, and names the pages in package.json.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderManPages } from "./render-man-pages.mjs";

const root = join(import.meta.dirname, "..");
const packageFile = join(root, "package.json");
const text = readFileSync(packageFile, "utf8");
const pages = await renderManPages(JSON.parse(text).version);
rmSync(join(root, "man"), { recursive: true, force: true });
mkdirSync(join(root, "man"));
for (const [file, page] of Object.entries(pages)) writeFileSync(join(root, "man", file), page);
const names = Object.keys(pages).map((file) => `    "man/${file}"`);
writeFileSync(packageFile, text.replace(/"man": \[[^\]]*\]/, `"man": [\n${names.join(",\n")}\n  ]`));
