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
  const { word, sentence } = makeWriter(9);
  const at = `at ${records} records`;
  const asked = Array.from({ length: questions }, (_, place) =>
    place % 2 === 0 ? sentence(4, 12) : place % 4 === 1 ? `${word()} ${word()}` : sentence(10, 25),
  );
  // Every task is about a module.
  const frequent = asked.map((_, place) => `module ${1 + ((place * 7919) % records)} ${word()}`);
  const searching = (memory, text) => memory.tasks.search({ text, limit: depth });
  const found = await inTurns({ own, team }, asked, searching);
  const always = await inTurns({ own, team }, frequent, searching);
  const recalled = await inTurns({ own, team }, asked.slice(0, questions / 5), (memory, objective) =>
    memory.recall({ objective }),
  );
  const same = [...found.results, ...always.results].filter(
    (each) => idsOf(each.own) === idsOf(each.team),
  ).length;
  return [
    { what: `first ${depth} the same, ${at}`, value: round(same / (2 * questions)), bar: sameBar },
    { ...ratio(`search ÷ SQLite, ${at}`, found), ...(records >= largeFrom && { bar: timesSlowerBar }) },
    ratio(`search with a word that all tasks hold ÷ SQLite, ${at}`, always),
    ...(records >= largeFrom
      ? []
      : [{ what: `search (ms), without statistics, ${at}`, value: msOf(found.times.team), bar: smallBarMs }]),
    ratio(`recall ÷ SQLite, ${at}`, recalled),
  ];
}

/** Both do the same, one after the other, so that a slow moment of the machine strikes both alike. */
async function inTurns(memories, texts, work) {
  const times = { own: [], team: [] };
  const results = [];
  for (const text of texts) {
    const result = {};
    for (const [name, memory] of Object.entries(memories))
      times[name].push(
        await elapsedMs(async () => {
          result[name] = await work(memory, text);
        }),
      );
    results.push(result);
  }
  return { times, results };
}

function ratio(what, { times }) {
  const value = round(median(times.team) / median(times.own));
  return { what, value, team_ms: msOf(times.team), sqlite_ms: msOf(times.own) };
}

const msOf = (samples) => round(median(samples));
const idsOf = (tasks) => tasks.map(({ id }) => id).join();

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
  return { what: `log an action (ms), one writer, at ${records} records`, value: msOf(times) };
}
