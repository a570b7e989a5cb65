import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { openMemory } from "../../dist/library/index.js";
import { openPlainBm25 } from "../quality/plain-bm25.mjs";
import { makeNotesFile } from "./make-notes-file.mjs";
import { elapsedMs, medians, round, row } from "./measure.mjs";

const searchBar = 5;
const addBar = 3;

/** Notes in one process: searching against a bare FTS5 query over the same texts, adding against writing and syncing the file. */
export async function measureWarmNotes(folder, { notes, runs, data }) {
  const path = join(folder, ".agent/memories.md");
  mkdirSync(join(folder, ".agent"));
  writeFileSync(path, notesFile(notes, data));
  const texts = [...readFileSync(path, "utf8").matchAll(/^> (.*)$/gm)].map(([, text]) => text);
  const memory = await openMemory({ root: folder, environment: { RALPH_HOME: join(folder, "user-home") } });
  const plain = await openPlainBm25(texts.map((text, index) => ({ id: String(index), text })));
  const isTelling = tellingWords(texts);
  const asked = texts
    .map((text, index) =>
      text
        .split(" ")
        .filter(isTelling)
        .slice(0, 4 + (index % 5))
        .join(" "),
    )
    .filter((text, index) => index % 37 === 0 && /\w{4}/.test(text));
  let turn = 0;
  const question = () => asked[turn % asked.length];
  const search = await medians(
    {
      bare: () => elapsedMs(() => plain.search(question(), 10)),
      ours: () => {
        turn += 1;
        return elapsedMs(() => memory.notes.search({ text: question(), limit: 10 }));
      },
    },
    Math.max(400, runs),
  );
  let added = 0;
  const add = await medians(
    {
      bare: () => elapsedMs(() => copyDurably(path, join(folder, "copy.md"))),
      ours: () => {
        added += 1;
        return elapsedMs(() =>
          memory.notes.add({ content: `benchmark note ${added} of today`, type: "fix" }),
        );
      },
    },
    // More than the versions that are kept: until the first of them is removed, each of both cases takes memory that is new.
    Math.max(100, runs),
  );
  await memory.close();
  await plain.close();
  const at = `${notes} notes`;
  return [
    row("warm search ÷ bare FTS5", search.ours / search.bare, searchBar, {
      median_ms: round(search.ours),
      at,
    }),
    row("warm add ÷ writing and syncing", add.ours / add.bare, addBar, { median_ms: round(add.ours), at }),
  ];
}

/**
 * Whether a word is no more frequent than what is left of real text without "the" and its like. A bare query ranks every text with
 * any of its words: asked for words of most texts, which nobody does, it is slower than anything.
 */
function tellingWords(texts) {
  const counts = new Map();
  for (const text of texts)
    for (const word of new Set(text.split(" "))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => (counts.get(word) ?? 0) <= texts.length / 20;
}

/** With real texts where a folder is given. */
function notesFile(count, data) {
  if (data === undefined) return makeNotesFile(count);
  const titles = readFileSync(join(data, "distractors/so_titles.jsonl"), "utf8").split("\n").filter(Boolean);
  let number = 0;
  return makeNotesFile(Math.min(count, titles.length)).replace(/^> .*$/gm, () => {
    number += 1;
    return `> ${JSON.parse(titles[number - 1]).text.replace(/\s+/g, " ")}`;
  });
}

function copyDurably(from, to) {
  const content = readFileSync(from);
  const file = openSync(`${to}.new`, "w");
  writeSync(file, content);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${to}.new`, to);
}
