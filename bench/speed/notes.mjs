import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeNotesFile } from "./make-notes-file.mjs";
import { medians, ralph, round, row, startIn } from "./measure.mjs";

const bar = 1.8;

/** Commands on notes, as ratios to starting Node. */
export async function measureNotes(folder, { notes, runs }) {
  mkdirSync(join(folder, ".agent"));
  writeFileSync(join(folder, ".agent/memories.md"), makeNotesFile(notes));
  const start = (...args) => startIn(folder, [ralph, ...args]);
  start("memory", "list", "--last", "1");
  let added = 0;
  const { "node -e 0": baseline, ...commands } = await medians(
    {
      "node -e 0": () => startIn(folder, ["-e", "0"]),
      "memory add": () => {
        added += 1;
        return start("memory", "add", `benchmark note ${Date.now()} number ${added}`);
      },
      "memory search": () =>
        start("memory", "search", "how do we start the database when the connection is refused"),
      "memory prime --budget 2000": () => start("memory", "prime", "--budget", "2000"),
      "memory prime": () => start("memory", "prime"),
    },
    runs,
  );
  return Object.entries(commands).map(([name, ms]) =>
    row(`${name} ÷ node -e 0`, ms / baseline, bar, { median_ms: round(ms), at: `${notes} notes` }),
  );
}
