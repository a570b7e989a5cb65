import { fillMemory } from "./fill-memory.mjs";
import { elapsedMs, medians, ralph, round, row, startIn } from "./measure.mjs";

const bar = 3;
const objective = "Fix the connection timeout of the worker queue when the cache of the session expires";

/** Recalling for an objective of 80 characters, as a ratio to starting Node, with everything there is to look through. */
export async function measureRecall(folder, { notes, records, runs }) {
  const memory = await fillMemory(folder, { notes, records });
  const inProcess = [];
  for (let run = 0; run < runs; run += 1) inProcess.push(await elapsedMs(() => memory.recall({ objective })));
  await memory.close();
  const { "node -e 0": baseline, recall } = await medians(
    {
      "node -e 0": () => startIn(folder, ["-e", "0"]),
      recall: () => startIn(folder, [ralph, "recall", objective]),
    },
    runs,
  );
  return [
    row("recall ÷ node -e 0", recall / baseline, bar, {
      median_ms: round(recall),
      warm_ms: round(inProcess.toSorted((a, b) => a - b)[Math.floor(runs / 2)]),
      at: `${notes} notes, ${records} records`,
    }),
  ];
}
