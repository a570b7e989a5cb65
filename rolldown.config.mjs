import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "rolldown";

rmSync("dist", { recursive: true, force: true });

// Left out of the bundles: the SQLite package finds its binary by its own directory, YAML is rarely needed.
const external = [/^node:/, "@photostructure/sqlite", "yaml"];

// What the SDK of MCP takes from Node, without the schema compiler (300 kB) that checks answers to questions, which Ralph does not ask.
const mcpShims = "@modelcontextprotocol/server/_shims";
const ownMcpShims = `\0node_modules/${mcpShims}`;
const smallMcpShims = {
  name: "small-mcp-shims",
  resolveId: (id) => (id === mcpShims ? ownMcpShims : undefined),
  load: (id) =>
    id === ownMcpShims
      ? 'export { default as process } from "node:process"; export class DefaultJsonSchemaValidator {}'
      : undefined,
};

// The page has one stylesheet, and the report that `ralph report` writes another one made of the same parts.
const stylesheets = {
  "app.css": ["tokens", "base", "frame", "parts", "charts", "pages"],
  "report.css": ["tokens", "base", "parts", "charts", "report"],
};
const readPart = (name) => readFileSync(join("ui", name), "utf8");
const withoutComments = (css) => css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\n\s*/g, "\n");
const pageFiles = {
  name: "page-files",
  generateBundle() {
    for (const fileName of ["index.html", "icon.svg"])
      this.emitFile({ type: "asset", fileName, source: readPart(fileName) });
    for (const [fileName, parts] of Object.entries(stylesheets)) {
      const source = parts.map((part) => withoutComments(readPart(`styles/${part}.css`))).join("");
      this.emitFile({ type: "asset", fileName, source });
    }
  },
};

export default defineConfig([
  {
    input: { main: "src/cli/main.ts" },
    plugins: [smallMcpShims],
    // Its main file is UMD, whose parts cannot be bundled.
    resolve: { alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" } },
    treeshake: { moduleSideEffects: [{ test: /node_modules\/@modelcontextprotocol\//, sideEffects: false }] },
    logLevel: "warn",
    platform: "node",
    external,
    output: {
      dir: "dist/cli",
      format: "cjs",
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name]-[hash].cjs",
      minify: true,
      // Packages are loaded with require: setting up Node's ESM loader takes longer than most commands run.
      dynamicImportInCjs: false,
    },
  },
  {
    input: { index: "src/index.ts", loop: "src/loop.ts" },
    logLevel: "warn",
    checks: { ineffectiveDynamicImport: false },
    platform: "node",
    external,
    output: {
      dir: "dist/library",
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
    },
  },
  {
    input: { app: "ui/app.tsx" },
    plugins: [pageFiles],
    logLevel: "warn",
    platform: "browser",
    output: { dir: "dist/ui", format: "esm", entryFileNames: "[name].js", minify: true },
  },
]);
