import { readFileSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { defineConfig } from "rolldown";
import { chunkOf, chunkOfPackage, chunks } from "./chunks.mjs";

rmSync("dist", { recursive: true, force: true });

const source = resolve("src");

// Left out of the bundles: the SQLite package finds its binary by its own directory, YAML is rarely needed.
const external = [/^node:/, "@photostructure/sqlite", "yaml"];

// No export changes its value after its file was loaded (test/chunks.test.ts), so each is a plain value: hundreds of getters took
// as long to make as a small command runs.
const getter =
  /Object\.defineProperty\(exports, "([\w$]+)", \{\s+enumerable: true,\s+get: function \(\) \{\s+return ([\w$]+);\s+\}\s+\}\);/g;
// The same for what is loaded later from a chunk that is there already: an object with the exports of one file, made at the end,
// when all of them have their values. Packages may use theirs before that.
const namespace =
  /(?<=\/\/ src\/.*\n)var ([\w$]+) = \/\* @__PURE__ \*\/ [\w$]+\.__exportAll\(\{([^}]*)\}\);/g;
const plainNamespaces = (code) => {
  const made = [];
  const rest = code.replace(namespace, (_, name, members) => {
    made.push(`${name} = {${members.replaceAll(/: \(\) => /g, ": ")}};\n`);
    return `var ${name};`;
  });
  const end = rest.search(/^exports\./m);
  return end === -1 ? rest + made.join("") : rest.slice(0, end) + made.join("") + rest.slice(end);
};
// A chunk exports a list, and what uses it asks by number: a name is looked up in an object of hundreds, and to make that object
// took 0.17 ms of each command. No chunk imports another one in a circle (test/chunks.test.ts), so nobody holds the object that the
// list replaces.
const listed = (code, { exports: names }) => {
  const lines = code.trimEnd().split("\n");
  const begin = lines.findLastIndex((line) => !/^exports\.[\w$]+ = .+;$/.test(line)) + 1;
  if (lines.slice(0, begin).some((line) => /^(?:exports\.|Object\.defineProperty\(exports)/.test(line)))
    throw new Error("A chunk exports something before its end, which the list at the end would replace");
  if (begin === lines.length) return code;
  const values = new Map(
    lines.splice(begin).map((line) => line.match(/^exports\.([\w$]+) = (.+);$/).slice(1)),
  );
  if (values.size !== names.length)
    throw new Error(`A chunk exports ${values.size} of ${names.length} names`);
  return `${lines.join("\n")}\nmodule.exports = [${names.map((name) => values.get(name)).join(", ")}];\n`;
};
const used = (code, chunks) => {
  const numberOf = (file, name) => {
    const number = chunks[file]?.exports.indexOf(name) ?? -1;
    if (number === -1) throw new Error(`${file} is no chunk that exports ${name}`);
    return number;
  };
  const files = new Map(
    Array.from(code.matchAll(/^const (require_[\w$]+) = require\("\.\/(.+)"\);$/gm), ([, held, file]) => [
      held,
      file,
    ]),
  );
  const numbered = code
    .replace(
      /\b(require_[\w$]+)\.([\w$]+)/g,
      (_, held, name) => `${held}[${numberOf(files.get(held), name)}]`,
    )
    .replace(
      /(\brequire\("\.\/([^"]+)"\)\)\.then\(\((\w+)\) => \3)\.([\w$]+)\)/g,
      (_, load, file, _held, name) => `${load}[${numberOf(file, name)}])`,
    );
  const [left] = [
    ...Array.from(numbered.matchAll(/\brequire_[\w$]+(?![[\w$]| = require\()/g)).filter(([held]) =>
      files.has(held),
    ),
    ...numbered.matchAll(/require\("\.\/[^"]+"\)\)(?!\.then\(\(\w+\) => \w+\[\d+\]\))/g),
  ];
  if (left !== undefined)
    throw new Error(`A chunk uses another one in a way that is not known here: ${left[0]}`);
  return numbered;
};
const plainExports = {
  name: "plain-exports",
  renderChunk: (code, chunk, _options, { chunks }) =>
    used(listed(plainNamespaces(code.replace(getter, "exports.$1 = $2;")), chunk), chunks),
};

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
    input: { main: "src/cli/start/main.ts" },
    plugins: [plainExports, smallMcpShims],
    treeshake: { moduleSideEffects: [{ test: /node_modules\/@modelcontextprotocol\//, sideEffects: false }] },
    preserveEntrySignatures: "allow-extension",
    logLevel: "warn",
    // Chunks are made of whole folders: what is loaded lazily may share one with what is not.
    checks: { ineffectiveDynamicImport: false },
    platform: "node",
    external,
    output: {
      dir: "dist/cli",
      format: "cjs",
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name]-[hash].cjs",
      minify: true,
      // Node keeps a source of plain ASCII in half the memory.
      charset: "ascii",
      // Packages are loaded with require: setting up Node's ESM loader takes longer than most commands run.
      dynamicImportInCjs: false,
      codeSplitting: {
        groups: Object.keys(chunks)
          .filter((name) => name !== "main")
          .map((name) => ({
            name,
            test: (id) =>
              (id.includes("node_modules") ? chunkOfPackage(id) : chunkOf(relative(source, id))) === name,
            includeDependenciesRecursively: false,
          })),
      },
    },
  },
  {
    input: { index: "src/index.ts", loop: "src/loop.ts" },
    logLevel: "warn",
    // What the public list names is loaded at once, also where the commands load it later.
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
