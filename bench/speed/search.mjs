import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../../dist/library/index.js";
import { openPlainBm25 } from "../quality/plain-bm25.mjs";
import { toHistory } from "../quality/ralph-tasks-engine.mjs";
import { knownSets, loadSet } from "../quality/sets.mjs";
import { makeNotesFile } from "./make-notes-file.mjs";
import { elapsedMs, median, round, row } from "./measure.mjs";

const medianBarMs = 5;
const slowestBarMs = 20;
const longBarMs = 40;
const queryCount = 200;
const longLength = 300;
const depth = 10;
/** Every text is there several times; so many results hold ten different ones. */
const depthWithCopies = 150;
const recallLossBar = 0.02;

/** Warm search among many records, four of five notes and the others tasks; with real texts where a folder is given. */
export async function measureSearch(folder, { records, data }) {
  const corpus = data === undefined ? madeUp() : real(data);
  const taskCount = Math.floor(records / 5);
  const root = join(folder, "many-records");
  mkdirSync(join(root, ".agent"), { recursive: true });
  const notes = repeated(corpus.notes, records - taskCount);
  writeFileSync(join(root, ".agent", "memories.md"), notesFile(notes));
  const memory = await openMemory({ root, environment: { RALPH_HOME: join(root, "user-home") } });
  await memory.tasks.restore(
    repeated(corpus.tasks, taskCount).map(({ text, files, as }, index) =>
      toHistory({ text, files }, index + 1, as),
    ),
  );
  const search = ({ as, text }, limit = depth) =>
    as === undefined ? memory.notes.search({ text, limit }) : memory.tasks.search({ text, limit });
  const times = await timesOf(search, spreadOver(corpus.queries, queryCount));
  const long = corpus.queries.filter(({ text }) => text.length >= longLength);
  const longTimes = await timesOf(
    search,
    spreadOver(long, queryCount).map((query) => ({ ...query, text: query.text.slice(0, longLength) })),
  );
  const recall = data === undefined ? [] : [await measureRecall(search, corpus, notes)];
  await memory.close();
  const at = { at: `${records} records` };
  return [
    row("search, median (ms)", median(times), medianBarMs, at),
    row("search, 95 of 100 (ms)", slowest(times), slowestBarMs, at),
    row(`questions of ${longLength} characters, 95 of 100 (ms)`, slowest(longTimes), longBarMs, at),
    ...recall,
  ];
}

/** Notes found among the first ten: by plain BM25 with all words of a question, and by ours, which leaves out frequent ones. */
async function measureRecall(search, corpus, notes) {
  const plain = await openPlainBm25(notes.map(({ text }) => ({ id: text.trim(), text })));
  const queries = spreadOver(
    corpus.queries.filter(({ as, relevant }) => as === undefined && relevant.length > 0),
    queryCount,
  );
  const recalls = { withAll: 0, ours: 0 };
  for (const query of queries) {
    const share = (texts) => {
      const first = new Set([...new Set(texts)].slice(0, depth));
      return query.relevant.filter((text) => first.has(text)).length / query.relevant.length / queries.length;
    };
    recalls.withAll += share(await plain.search(query.text, depthWithCopies));
    recalls.ours += share((await search(query, depthWithCopies)).map(({ content }) => content));
  }
  await plain.close();
  const { withAll, ours } = recalls;
  return row("R@10 of BM25 with all words − ours", withAll - ours, recallLossBar, {
    at: `${round(withAll)} with all words, ${round(ours)} ours`,
  });
}

async function timesOf(search, queries) {
  for (const query of queries) await search(query);
  const times = [];
  for (const query of queries) times.push(await elapsedMs(() => search(query)));
  return times;
}

function slowest(times) {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)];
}

function repeated(items, count) {
  return Array.from({ length: count }, (_, index) => items[index % items.length]);
}

function spreadOver(items, count) {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]);
}

/** The texts and questions of the sets of `bench:quality`, and what else stands in the folder as noise. */
function real(data) {
  const corpus = { notes: [], tasks: [], queries: [] };
  for (const set of knownSets) {
    if (!existsSync(join(data, set.folder, set.corpus))) continue;
    const { scopes, queries } = loadSet(data, set);
    const documents = [...scopes.values()].flat().map((document) => ({ ...document, as: set.as }));
    (set.as === undefined ? corpus.notes : corpus.tasks).push(...documents);
    const texts = new Map(documents.map(({ id, text }) => [id, text.trim()]));
    corpus.queries.push(
      ...spreadOver(queries, queryCount).map(({ text, relevant }) => ({
        text,
        as: set.as,
        relevant: relevant.map((id) => texts.get(id)),
      })),
    );
  }
  const noise = join(data, "distractors", "so_titles.jsonl");
  if (existsSync(noise)) {
    const titles = readFileSync(noise, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => ({ text: JSON.parse(line).text, files: [] }));
    corpus.notes.push(...titles);
    corpus.tasks.push(...titles.map((title) => ({ ...title, as: "task" })));
  }
  return corpus;
}

function madeUp() {
  const texts = [...makeNotesFile(10_000).matchAll(/^> (.*)$/gm)].map(([, text]) => text);
  const asked = (text, index) =>
    text
      .split(" ")
      .slice(0, 6 + (index % 10))
      .join(" ");
  const half = texts.length / 2;
  return {
    notes: texts.slice(0, half).map((text) => ({ text })),
    tasks: texts.slice(half).map((text) => ({ text, files: [], as: "task" })),
    queries: texts.map((text, index) => ({
      text: index % 4 === 0 ? `${text} ${texts[(index * 7) % texts.length]} ${text}` : asked(text, index),
      as: index % 2 === 0 ? undefined : "task",
    })),
  };
}

function notesFile(notes) {
  const blocks = notes.map(({ text }, index) => {
    const time = 1_700_000_000 + index * 300;
    const id = `mem-${time}-${(index % 65_536).toString(16).padStart(4, "0")}`;
    const date = new Date(time * 1000).toISOString().slice(0, 10);
    return `\n### ${id}\n${text.replace(/^/gm, "> ")}\n<!-- tags: bench | created: ${date} -->\n`;
  });
  return `# Memories\n\n## Context\n${blocks.reverse().join("")}`;
}
