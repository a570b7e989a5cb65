import { expect, it } from "vitest";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { logged, recordTask } from "../../support/record-task.js";

it("an index that is built again has all tasks, with what was done in them, in the order of their work", async () => {
  const memory = await openScratchMemory();
  await recordTask(memory, "Repair the quokka", { actions: [logged.runs("wombatctl restart")] });
  for (let number = 0; number < 420; number += 1)
    await memory.tasks.init({ description: `Feed the kettle ${number}` });
  const ask = async () => ({
    first: (await memory.tasks.search({ text: "quokka", limit: 3 })).map(({ description }) => description),
    done: (await memory.tasks.search({ text: "wombatctl", limit: 3 })).map(({ description }) => description),
    some: (await memory.tasks.search({ text: "kettle", limit: 5 })).map(({ description }) => description),
  });
  const before = await ask();
  expect(before.first).toEqual(["Repair the quokka"]);
  expect(before.some).toHaveLength(5);
  await memory.rebuildIndex();
  expect(await ask()).toEqual(before);
});
