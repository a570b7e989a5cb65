import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeNotesFile } from "./make-notes-file.mjs";
import { medians, ralph, round, row, startIn } from "./measure.mjs";

const bar = 2.3;
const frequentWords =
  "layer cache feature flag billing order queue worker retry token session build deploy test login cart price user page image index query table route port socket job lock date parser".split(
    " ",
  );

/** Commands on notes, as ratios to starting Node. */
export async function measureNotes(folder, { notes, runs }) {
  const usual = project(folder, "usual", makeNotesFile(notes));
  const frequent = project(folder, "frequent-words", withFrequentWords(notes));
  let added = 0;
  const { "node -e 0": baseline, ...commands } = await medians(
    {
      "node -e 0": () => startIn(folder, ["-e", "0"]),
      "memory add": () => {
        added += 1;
        return usual("memory", "add", `benchmark note ${Date.now()} number ${added}`);
      },
      "memory search": () =>
        usual("memory", "search", "how do we start the database when the connection is refused"),
      "memory search, every word in thousands of notes": () =>
        frequent("memory", "search", "the retry of the queue and the cache of the session"),
      "memory prime --budget 2000": () => usual("memory", "prime", "--budget", "2000"),
      "memory prime": () => usual("memory", "prime"),
    },
    runs,
  );
  return Object.entries(commands).map(([name, ms]) =>
    row(`${name} ÷ node -e 0`, ms / baseline, bar, { median_ms: round(ms), at: `${notes} notes` }),
  );
}

/** Starts the program in a project with these notes, which are indexed already. */
function project(folder, name, notesFile) {
  const root = join(folder, name);
  mkdirSync(join(root, ".agent"), { recursive: true });
  writeFileSync(join(root, ".agent/memories.md"), notesFile);
  const start = (...args) => startIn(root, [ralph, ...args]);
  start("memory", "list", "--last", "1");
  return start;
}

/** Notes whose words are a few, so that each is in thousands of them. */
function withFrequentWords(count) {
  const words = (number) =>
    Array.from(
      { length: 12 },
      (_, place) => frequentWords[(number * (place + 3) + place * 7) % frequentWords.length],
    );
  let number = 0;
  return makeNotesFile(count).replace(/^> .*$/gm, () => {
    number += 1;
    return `> ${words(number).join(" ")} ${number}`;
  });
}
