import { makeWriter } from "../speed/make-notes-file.mjs";
import { elapsedMs, median, round } from "../speed/measure.mjs";

const questions = 100;
const depth = 10;
const timesSlowerBar = 3;
const sameBar = 0.95;
/** Fewer are found in no time on this machine: then only the time itself counts. */
const largeFrom = 100_000;
const smallBarMs = 100;

/** Whether a team's store finds the same as this machine's, how much longer that takes, and what else is asked of it. */
export async function measureSearch({ own, team }, records) {
  const asked = questionsFor(records);
  const times = { own: [], team: [] };
  let same = 0;
  for (const text of asked) {
    const found = {};
    for (const [name, memory] of Object.entries({ own, team }))
      times[name].push(
        await elapsedMs(async () => {
          found[name] = (await memory.tasks.search({ text, limit: depth })).map(({ id }) => id);
        }),
      );
    if (found.own.join() === found.team.join()) same += 1;
  }
  const recalls = { own: [], team: [] };
  for (const text of asked.slice(0, questions / 5))
    for (const [name, memory] of Object.entries({ own, team }))
      recalls[name].push(await elapsedMs(() => memory.recall({ objective: text })));
  const at = `${records} records`;
  const ms = (samples) => round(median(samples));
  return [
    { what: `first ${depth} the same, at ${at}`, value: round(same / asked.length), bar: sameBar },
    {
      what: `search ÷ SQLite, at ${at}`,
      value: round(median(times.team) / median(times.own)),
      ...(records >= largeFrom && { bar: timesSlowerBar }),
      ...{ team_ms: ms(times.team), sqlite_ms: ms(times.own) },
    },
    ...(records >= largeFrom
      ? []
      : [{ what: `search (ms), without statistics, at ${at}`, value: ms(times.team), bar: smallBarMs }]),
    {
      what: `recall ÷ SQLite, at ${at}`,
      value: round(median(recalls.team) / median(recalls.own)),
      ...{ team_ms: ms(recalls.team), sqlite_ms: ms(recalls.own) },
    },
  ];
}

/** Short and long ones, of frequent and of rare words, and some that name a thing. */
function questionsFor(records) {
  const { sentence, word } = makeWriter(9);
  return Array.from({ length: questions }, (_, place) =>
    place % 4 === 0
      ? `module ${1 + ((place * 7919) % records)} ${word()}`
      : place % 4 === 1
        ? `${word()} ${word()}`
        : sentence(4, place % 4 === 2 ? 8 : 25),
  );
}

/** The time for one action at this size, one writer. */
export async function measureLog({ team }, records) {
  const { id } = await team.tasks.init({ description: "Log actions" });
  await team.tasks.start(id, { hasBrief: false });
  const times = [];
  for (let place = 0; place < questions; place += 1)
    times.push(
      await elapsedMs(() =>
        team.tasks.log(id, [{ tool: "Bash", params: { command: `make ${place}` }, success: true }]),
      ),
    );
  return { what: `log an action (ms), one writer, at ${records} records`, value: round(median(times)) };
}
