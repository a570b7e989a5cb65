import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../../dist/library/index.js";
import { fillLearnings } from "../speed/learnings.mjs";
import { makeTask } from "../speed/tasks.mjs";
import { openTeamMemory } from "./team-memory.mjs";

const tasksAtOnce = 10_000;

/** The same records on this machine and in a team's store: as many tasks as learnings. */
export async function fillBoth(folder, records, { address, project }) {
  const root = join(folder, `records-${records}`);
  mkdirSync(root, { recursive: true });
  const own = await openMemory({ root, environment: { RALPH_HOME: join(root, "user-home") } });
  const tasks = records / 2;
  for (let from = 0; from < tasks; from += tasksAtOnce)
    await own.tasks.restore(
      Array.from({ length: Math.min(tasksAtOnce, tasks - from) }, (_, place) => makeTask(from + place + 1)),
    );
  await fillLearnings(own, records - tasks);
  const team = await openTeamMemory(join(folder, `clone-${records}`), { address, project });
  const before = performance.now();
  let rows = 0;
  const count = async function* (given) {
    for await (const row of given) {
      rows += 1;
      yield row;
    }
  };
  await own.records.dump((dump) => team.records.load(dump, count(dump.rows())));
  return { own, team, fill: { rows, seconds: (performance.now() - before) / 1000 } };
}
