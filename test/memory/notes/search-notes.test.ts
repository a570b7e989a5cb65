import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { newestFirst } from "../../../src/memory/notes/search-notes.js";
import { openMemory } from "../../../src/memory/open-memory.js";
import { noteBlocks } from "../../support/sample-notes.js";
import { put, scratchRepository } from "../../support/scratch.js";

async function openWithClock() {
  const root = scratchRepository();
  const now = { value: "2026-05-08T10:00:00Z" };
  const memory = await openMemory({
    root,
    environment: { RALPH_HOME: join(root, ".home") },
    clock: () => new Date(now.value),
  });
  onTestFinished(() => memory.close());
  return { memory, now, root };
}

const subjects = "login cart parser socket cache schema index retry queue worker token session".split(" ");
const problems = "fails times out leaks memory returns nothing hangs on start shows an error is slow".split(
  " ",
);

/** Notes that share many words with a long question, one of which alone names what it is about. */
async function addCrowd(add: (content: string) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < 60; index += 1) {
    const word = (list: string[], step: number) => list[(index * step) % list.length];
    await add(
      `The ${word(subjects, 1)} of the server ${word(problems, 3)} when the ${word(subjects, 5)} test runs ${index}`,
    );
  }
}

describe("searching notes", () => {
  it.each([
    ["an identifier", "Call flushPendingWrites before closing", "flushPendingWrites"],
    ["an error code", "TS7053 comes from an index without a signature", "TS7053"],
    ["a path", "Ports are read in src/net/portTable.ts", "src/net/portTable.ts"],
  ])("finds %s among the first three, however much else is asked", async (_what, content, name) => {
    const { memory } = await openWithClock();
    await addCrowd((text) => memory.notes.add({ content: text }));
    const { note } = await memory.notes.add({ content });
    const question =
      "The login of the server fails when the cart test runs, the socket hangs on start, the cache of the worker shows " +
      "an error, the queue is slow and the parser returns nothing; the session token of the schema index times out and " +
      `the retry leaks memory when the worker test runs on the server, and there is ${name} in the log`;
    expect(question.length).toBeGreaterThanOrEqual(300);
    const found = await memory.notes.search({ text: question, limit: 3 });
    expect(found.map(({ id }) => id)).toContain(note.id);
  });

  it.each([
    ["an identifier", "Call flushPendingWrites before closing", "flushPendingWrites"],
    ["an error code", "TS7053 comes from an index without a signature", "TS7053"],
    ["a path", "Ports are read in src/net/portTable.ts", "src/net/portTable.ts"],
  ])("finds %s among thousands of notes that have all the other words", async (_what, content, name) => {
    const { memory, root } = await openWithClock();
    const crowd = Array<string>(3000).fill(
      `The ${subjects.join(" ")} of the server ${problems.join(" ")} when the test number runs`,
    );
    put(root, ".agent/memories.md", `# Memories\n\n## Fixes\n\n${noteBlocks([...crowd, content])}`);
    const question = `${subjects.join(" ")} of the server ${problems.join(" ")} when the test runs, and somewhere in all of this we saw ${name} mentioned`;
    const found = await memory.notes.search({ text: question, limit: 3 });
    expect(found.map((note) => note.content)).toContain(content);
  });

  it("prefers a note whose neighbours in time are about the question, not one of another day", async () => {
    const { memory, now } = await openWithClock();
    await memory.notes.add({ content: "The staging deploy runs from the release branch" });
    const { note: beside } = await memory.notes.add({ content: "The deploy needs the blue key" });
    now.value = "2026-06-20T10:00:00Z";
    for (const content of ["Cats are fine", "Dogs are fine"]) await memory.notes.add({ content });
    const { note: alone } = await memory.notes.add({ content: "The deploy needs the green key" });
    const found = await memory.notes.search({
      text: "which key does the staging deploy need from the release branch",
    });
    const places = found.map(({ id }) => id);
    expect(places.indexOf(beside.id)).toBeLessThan(places.indexOf(alone.id));
    expect(found.every(({ content }) => !content.includes("fine"))).toBe(true);
  });

  it("finds a note by the day or the month it was written", async () => {
    const { memory, now } = await openWithClock();
    const { note } = await memory.notes.add({ content: "We chose tabs" });
    now.value = "2026-09-01T10:00:00Z";
    await memory.notes.add({ content: "We chose spaces" });
    for (const text of ["what was decided in May", "2026-05-08"])
      expect((await memory.notes.search({ text }))[0]?.id).toBe(note.id);
  });

  it("keeps to notes of the last so many days, in a large index as well", async () => {
    const { memory, now, root } = await openWithClock();
    const old = Array.from(
      { length: 2500 },
      (_, index) =>
        `### mem-${1_700_000_000 + index}-0001\n> The staging port is ${index}\n<!-- tags: | created: 2023-11-14 -->\n`,
    );
    put(root, ".agent/memories.md", `# Memories\n\n## Fixes\n\n${old.join("\n")}`);
    const { note } = await memory.notes.add({ content: "The staging port is 9090" });
    now.value = "2026-05-10T23:00:00Z";
    const found = async (recentDays: number) =>
      (await memory.notes.search({ text: "staging port", recentDays, limit: 20 })).map(({ id }) => id);
    expect(await found(2)).toEqual([note.id]);
    expect(await found(1)).toEqual([]);
    expect(await found(0)).toHaveLength(20);
  });

  it("shows the later of two notes of one second first when it takes the other's place", async () => {
    const { memory } = await openWithClock();
    await memory.notes.add({ content: "The staging server runs on port 8080" });
    const { note } = await memory.notes.add({ content: "The staging server runs on port 9090" });
    const [first] = await memory.notes.search({ text: "port 8080 of the staging server" });
    expect(first?.id).toBe(note.id);
  });
});

describe("searching tasks", () => {
  it("moves up a task that says what the best one says, and none that shares no word with the question", async () => {
    const { memory } = await openWithClock();
    for (let index = 0; index < 60; index += 1)
      await memory.tasks.init({
        description: `Rename the ${subjects[index % subjects.length]} option ${index}`,
      });
    const reports = [
      "The page goes blank after login\nThe renderer process crashes in the compositor with a stack overflow",
      "Page flickers\nScrolling a long page is jerky on old laptops",
      "Page of the shop is empty\nThe compositor crashes with a stack overflow in the renderer process",
      "The compositor crashes\nA stack overflow in the renderer process",
    ];
    const ids: string[] = [];
    for (const description of reports) ids.push((await memory.tasks.init({ description })).id);
    const [best, flickers, like, silent] = ids;
    const found = (await memory.tasks.search({ text: "page blank after login" })).map(({ id }) => id);
    expect(found[0]).toBe(best);
    expect(found.indexOf(like ?? "")).toBeLessThan(found.indexOf(flickers ?? ""));
    expect(found).not.toContain(silent);
  });
});

const at = (time: number, content: string) => ({ time, content });

describe("found notes", () => {
  it("stand in their order, but one that takes the place of an older one stands before it", () => {
    const older = at(1, "The staging server runs on port 8080");
    const other = at(2, "Releases are cut on Mondays");
    const newer = at(3, "The staging server now runs on port 9090");
    expect(newestFirst([older, other, newer], 10)).toEqual([newer, older, other]);
    expect(newestFirst([newer, other, older], 10)).toEqual([newer, other, older]);
  });

  it("keep their order when the words do not make it plain", () => {
    const one = at(1, "The staging server runs on port 8080");
    const two = at(2, "The production server runs on port 9090");
    expect(newestFirst([one, two], 10)).toEqual([one, two]);
  });

  it("are left alone where they are long", () => {
    const long = "The staging server runs on port 8080. ".repeat(30);
    const found = [at(1, long), at(2, long.replaceAll("8080", "9090"))];
    expect(newestFirst(found, 10)).toEqual(found);
  });
});
