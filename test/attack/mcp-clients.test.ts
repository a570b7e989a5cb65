import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { connectClient, eras } from "../support/mcp-client.js";
import { runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";
import { seed, seededRandom } from "../support/seeded-random.js";
import { type Between, hasEnded, isThere, startShortClient } from "../support/short-client.js";

const { next: random, pick } = seededRandom();
console.log(`RALPH_SEED=${seed}`);

it.each(eras)("4 clients of %s write 100 notes each at the same time: 400 are kept", async (era) => {
  const root = scratchRepository();
  const clients = await Promise.all(Array.from({ length: 4 }, () => connectClient(root, { era })));
  const begin = performance.now();
  const answers = await Promise.all(
    clients.flatMap(({ call }, client) =>
      Array.from({ length: 100 }, (_, note) =>
        call("remember", { content: `client ${client} says ${note}, which nobody else says` }),
      ),
    ),
  );
  console.log(`${era}: 400 notes in ${Math.round(performance.now() - begin)} ms`);
  expect(answers.filter(({ isError }) => isError)).toEqual([]);
  const ids = answers.map(({ value }) => value.id);
  expect(new Set(ids).size).toBe(400);
  const text = readFileSync(join(root, ".agent/memories.md"), "utf8");
  expect(ids.filter((id) => text.split(`### ${id}\n`).length !== 2)).toEqual([]);
  const listed = await runRalph(["memory", "list", "--json"], { cwd: root });
  expect(JSON.parse(listed.stdout)).toHaveLength(400);
});

const kinds = ["nobody", "holder", "shell"] as const satisfies readonly Between[];

it("50 clients, or the shells that started their servers, are killed at any moment: no server is left", async () => {
  const root = scratchRepository();
  const started = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const between = pick(kinds);
      const one = await startShortClient(root, between);
      // Half of the servers have not yet answered.
      if (random() < 0.5) await one.answered();
      else await pause(random() * 500);
      if (between === "shell" && random() < 0.5) process.kill(one.between ?? Number.NaN, "SIGKILL");
      else one.client.kill("SIGKILL");
      return one;
    }),
  );
  const begin = performance.now();
  for (const { server } of started) await hasEnded(server);
  console.log(`the last server ended ${Math.round(performance.now() - begin)} ms after the last kill`);
  expect(started.map(({ server }) => server).filter(isThere)).toEqual([]);
});
