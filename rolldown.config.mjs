import { rmSync } from "node:fs";
import { defineConfig } from "rolldown";

rmSync("dist", { recursive: true, force: true });

// Left out of the bundles: the SQLite package finds its binary by its own directory, YAML is rarely needed.
const external = [/^node:/, "@photostructure/sqlite", "yaml"];

// What is used together is one file: each file that Node loads costs a third of a millisecond, each kilobyte a tenth.
// Groups must not need each other in a circle: one of them would find the other's exports still missing.
const groups = {
  core: [
    /src\/domain\/(?!agent|duration)/,
    /src\/config\/(paths|default-settings)\./,
    /src\/files\/(find-project|file-stamp|file-problem|private-directory|read-file|until-at-rest|make-folder)\./,
    /src\/text\/(nearest|counted|unique|same-failure|capitalised|word-set|control-characters|without-comments|remembering|is-ascii)\./,
    /src\/store\/(lexical-index\.|repositories\/(note-rows|note-files|added-sections|deleted-notes|settings-cache)\.|migrations\/schema-version\.|(label-text|sql|tables|open-store|without-nulls|lazy-repository)\.)/,
    /src\/store\/sqlite\/(?!sqlite-backup|repair|find-damage)/,
    /src\/memory\/(open-memory|open-filled-store|place|shelf|shelves|sync-notes|until-quiet|note-not-found|note-type|task-verbs|task-not-found|make-learning-verbs|make-working-verbs|similar-task-verbs|skill-verbs|run-verbs)\./,
    /src\/search\/(words|stop-words|note-labels|task-labels|learning-labels|share-words)\./,
    /src\/cli\/(run-cli|pause-briefly|command|command-tree|exit-status|find-command|parse-arguments|output\/(notices|printable|terminal))\./,
  ],
  "note-commands": [
    /src\/cli\/(commands\/memory\/|note-options\.|read-content\.|read-lines\.|output\/(json|table|notes|display-width)\.)/,
    /src\/notes\/render\./,
  ],
  "note-reading": [
    /src\/memory\/(list-notes|search-notes|is-newer|resolve-note)\./,
    /src\/search\/(search-records|within-reach|count-words|asked-words|typo-variants)\./,
  ],
  records: [/src\/store\/repositories\//],
  "task-reading": [
    /src\/cli\/output\/(history|history-markdown|replay)\./,
    /src\/episodic\/(query-history|get-task|public-records|replay-attempt|work-done)\./,
    /src\/memory\/episodic-options\./,
  ],
  "task-writing": [
    /src\/cli\/commands\/task\//,
    /src\/episodic\/(?!reflectors|archive-history|restore-tasks|packed-actions|search-tasks|summarise-task)/,
    /src\/text\/(clip-output|output-lines)\./,
    /src\/processes\/process-table\./,
  ],
  working: [
    /src\/working\//,
    /src\/processes\/run-git\./,
    /src\/cli\/(commands\/(continuity|ledger|handoff)\/|output\/ledgers\.)/,
    /src\/memory\/(update-continuity|checkpoint-ledger|create-handoff|current-task)\./,
  ],
  skills: [
    /src\/cli\/(commands\/skill\/|output\/skills\.)/,
    /src\/procedural\/(?!skill-uses)/,
    /src\/memory\/skills\./,
    /src\/files\/path-inside\./,
    /src\/search\/kinds\./,
  ],
  "note-writing": [
    /src\/memory\/(add-note|note-input|rewrite-notes-file|index-note)\./,
    /src\/notes\//,
    /src\/files\/write-atomically\./,
    /src\/search\/(note-document|date-words|error-codes)\./,
    /src\/text\/(redact|fingerprint)\./,
  ],
  comparison: [
    /src\/search\/(bag|similarity)\./,
    /src\/semantic\/(replaces|changed-value|clause|retraction)\./,
    /src\/memory\/newest-first\./,
  ],
  "task-memory": [
    /src\/memory\/task-memory\./,
    /src\/episodic\/summarise-task\./,
    /src\/semantic\/cross-task-type\./,
  ],
  meaning: [
    /src\/memory\/meaning\/(make-meaning|embedder-choice|measured-weights)\./,
    /src\/search\/(search-hybrid|fuse|quantise|vector-matrix|ideal-score|exact-words)\./,
    /src\/embed\/(embedder-name|open-embedder)\./,
  ],
  recall: [
    /src\/cli\/commands\/recall\./,
    /src\/recall\/(brief|candidate|best-first|fold-duplicates|judge-ranking|learning-candidates|note-candidates|question|recall-question|score-candidate|skill-candidates)\./,
    /src\/memory\/recall\./,
    /src\/semantic\/(evidence-lift|evidence-bound|learning-matches|name-failure|statement|score-learning|classify-task|clip-statement)\./,
  ],
  "similar-tasks": [
    /src\/recall\/(similar-tasks?|task-similarity|render-similar-tasks|task-candidates)\./,
    /src\/memory\/find-similar-tasks\./,
    /src\/search\/(word-frequencies|hash-stem|count-once)\./,
  ],
  "text-tools": [/src\/text\/(fence|look-alikes)\./, /src\/search\/(generic-words|stem)\./],
  "token-count": [/src\/text\/(count-tokens|common-words|token-tables)\./, /src\/recall\/budget\./],
  settings: [/src\/config\//, /src\/domain\/(agent|duration)\./],
};

export default defineConfig([
  {
    input: { main: "src/cli/main.ts" },
    preserveEntrySignatures: "allow-extension",
    logLevel: "warn",
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
        groups: Object.entries(groups).map(([name, tests]) => ({
          name,
          test: (id) => tests.some((test) => test.test(id)),
          includeDependenciesRecursively: false,
        })),
      },
    },
  },
  {
    input: { index: "src/index.ts" },
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
]);
