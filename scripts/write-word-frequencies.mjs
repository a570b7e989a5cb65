// Writes src/words/word-frequencies.ts: in what share of short texts about software a word's stem occurs, counted over
// the folders that are given. What ships was counted over this project's node_modules, the standard library of Python 3.11
// and the help pages of CMake 3.25: node scripts/write-word-frequencies.mjs node_modules DIR…
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { rolldown } from "rolldown";

const extensions = new Set([".md", ".rst", ".py", ".ts", ".mts", ".cts"]);
const textLength = 1500;
const textsOfFile = 12;
const largestFile = 2_000_000;
const stemCount = 4_500;
/** A word that few packages or modules use is a name of theirs. */
const fewestSources = 3;
/** What reports of faults say, and documentation seldom. */
const reportWords =
  "bug issue problem expected actual behavior behaviour reproduce reproduction steps describe description traceback recent fails " +
  "failed failing failure broken crash wrong fix fixed report unexpected environment versions minimal example regression summary " +
  "feature request implement support add update change make test tests error exception";
const reportShare = 0.25;
/** Two steps for each halving of the share. */
const stepsPerHalving = 2;

const { wordsOf, looseStem, stopWords } = await loadWords();
const counts = new Map();
const sources = new Map();
const seen = new Set();
let texts = 0;
for (const { path, source } of process.argv.slice(2).flatMap(filesIn)) {
  for (const text of textsIn(path)) {
    const stems = new Set(
      wordsOf(text)
        .filter((word) => /^[a-z]{2,24}$/.test(word) && !stopWords.has(word))
        .map(looseStem),
    );
    if (stems.size < 10 || isSeen(stems)) continue;
    texts += 1;
    for (const each of stems) {
      counts.set(each, (counts.get(each) ?? 0) + 1);
      sources.set(each, (sources.get(each) ?? new Set()).add(source));
    }
  }
}

for (const each of reportWords.split(" ").map(looseStem)) {
  counts.set(each, Math.max(counts.get(each) ?? 0, Math.round(texts * reportShare)));
  sources.delete(each);
}
const kept = [...counts]
  .filter(([each]) => (sources.get(each)?.size ?? fewestSources) >= fewestSources)
  .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  .slice(0, stemCount);
const rarest = (kept.at(-1)?.[1] ?? 1) / texts;
const stemsByHalvings = {};
for (const [stem, count] of kept) {
  const halvings = Math.round(stepsPerHalving * Math.log2(texts / count)) / stepsPerHalving;
  stemsByHalvings[halvings] = [...(stemsByHalvings[halvings] ?? []), stem];
}
writeFileSync(
  join(import.meta.dirname, "../src/words/word-frequencies.json"),
  `${JSON.stringify(
    {
      rarestShare: Number(rarest.toPrecision(3)),
      stemsByHalvings: Object.fromEntries(
        Object.entries(stemsByHalvings).map(([halvings, stems]) => [halvings, stems.sort().join(" ")]),
      ),
    },
    null,
    2,
  )}\n`,
);
console.log(`${texts} texts, ${counts.size} stems, ${kept.length} kept, rarest in a share of ${rarest}`);

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && extensions.has(extname(entry.name)))
    .filter(
      ({ parentPath, name }) =>
        !/site-packages|\.min\.|\/(?:test|tests|lib2to3|encodings|idlelib)\//.test(`${parentPath}/${name}`),
    )
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => ({ path, source: sourceOf(folder, path) }));
}

/** The package or module that a file belongs to; all of what is neither is one source. */
function sourceOf(folder, path) {
  const [first = "", second = ""] = relative(folder, path).split(/[\\/]/);
  if (basename(folder) !== "node_modules") return path.endsWith(".py") ? first : folder;
  return first.startsWith("@") ? `${first}/${second}` : first;
}

/** Pieces of a file, spread evenly over it. */
function textsIn(path) {
  const content = readFileSync(path, "utf8").slice(0, largestFile);
  const step = Math.max(textLength, Math.ceil(content.length / textsOfFile));
  return Array.from({ length: Math.ceil(content.length / step) }, (_, index) =>
    content.slice(index * step, index * step + textLength),
  );
}

/** Licences and copies would count many times. */
function isSeen(stems) {
  const key = [...stems].slice(0, 12).join(" ");
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

async function loadWords() {
  const bundle = await rolldown({
    input: "virtual:words",
    platform: "node",
    plugins: [
      {
        name: "words",
        resolveId: (id) => (id === "virtual:words" ? id : undefined),
        load: (id) =>
          id === "virtual:words"
            ? ["words", "stem", "word-lists"]
                .map(
                  (name) =>
                    `export * from ${JSON.stringify(join(import.meta.dirname, `../src/words/${name}.ts`))};`,
                )
                .join("\n")
            : undefined,
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm" });
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
}
