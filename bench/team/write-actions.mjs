// A process of writers: each logs single actions to an attempt of its own, one after the other.
import { join } from "node:path";
import { openTeamMemory } from "./team-memory.mjs";

process.once("message", async ({ folder, address, writers, forMs }) => {
  const memories = await Promise.all(
    writers.map(async ({ project }, place) => {
      const memory = await openTeamMemory(join(folder, `${place}`), { address, project });
      const { id } = await memory.tasks.init({ description: "Work" });
      await memory.tasks.start(id, { hasBrief: false });
      return { memory, id };
    }),
  );
  let logged = 0;
  const started = performance.now();
  await Promise.all(
    memories.map(async ({ memory, id }) => {
      while (performance.now() - started < forMs) {
        await memory.tasks.log(id, [{ tool: "Bash", params: { command: "npm test" }, success: true }]);
        logged += 1;
      }
    }),
  );
  const perSecond = (logged * 1000) / (performance.now() - started);
  for (const { memory } of memories) await memory.close();
  process.send(perSecond, () => process.exit(0));
});
