import { readSync, writeSync } from "node:fs";

/**
 * Works on a project in sessions, and says before and after each operation what it does: `T` tries, `A` acknowledged, `E` told
 * what is wrong, `X` anything else. At `?` it waits until the campaign has done its worst and tells how to go on.
 */
const { library, root, name } = JSON.parse(process.argv[2]);
const { openMemory, RalphError } = await import(library);

const say = (kind, content) => void writeSync(1, `${kind} ${JSON.stringify(content)}\n`);

function ask(place) {
  say("?", { place });
  const buffer = Buffer.alloc(65_536);
  let text = "";
  while (!text.includes("\n")) {
    const read = readSync(0, buffer);
    if (read === 0) process.exit(0);
    text += buffer.toString("utf8", 0, read);
  }
  return JSON.parse(text);
}

let operations = 0;

async function attempt(operation, work) {
  operations += 1;
  const marker = `${name}-${operations}`;
  say("T", { ...operation, marker });
  try {
    say("A", { ...operation, marker, ...(await work(marker)) });
  } catch (error) {
    if (error instanceof RalphError)
      say("E", { ...operation, marker, code: error.code, message: error.message });
    else say("X", { ...operation, marker, stack: String(error?.stack ?? error) });
  }
}

const verbs = {
  note: (memory) => [
    { kind: "note" },
    async (marker) => ({
      id: (await memory.notes.add({ content: `note ${marker} end`, type: "fix" })).note.id,
    }),
  ],
  edit: (memory, { note }) => [
    { kind: "edit", id: note },
    async (marker) => void (await memory.notes.edit(note, { content: `note ${marker} end` })),
  ],
  delete: (memory, { note }) => [
    { kind: "delete", id: note },
    async () => void (await memory.notes.delete(note)),
  ],
  task: (memory) => [
    { kind: "task" },
    async (marker) => ({ id: (await memory.tasks.init({ description: `task ${marker} end` })).id }),
  ],
  start: (memory, { task }) => [
    { kind: "start", id: task },
    async () => void (await memory.tasks.start(task)),
  ],
  log: (memory, { task }) => [
    { kind: "log", id: task },
    async (marker) =>
      void (await memory.tasks.log(task, [
        { tool: "Bash", params: { command: `run ${marker} end` }, success: false, output: "y".repeat(3000) },
      ])),
  ],
  complete: (memory, { task }) => [
    { kind: "complete", id: task },
    async (marker) =>
      void (await memory.tasks.complete(task, { outcome: "failure", reason: `because of ${marker} end` })),
  ],
  learning: (memory) => [
    { kind: "learning" },
    async (marker) =>
      void (await memory.learnings.add({
        type: "pattern",
        taskType: "general",
        content: { description: `learning ${marker} end` },
      })),
  ],
  handoff: (memory) => [
    { kind: "handoff" },
    async (marker) =>
      void (await memory.working.createHandoff({
        from: "one",
        to: "two",
        whatWasDone: `handoff ${marker} end`,
      })),
  ],
  ledger: (memory) => [
    { kind: "ledger" },
    async (marker) => void (await memory.working.checkpoint("one", { goal: `ledger ${marker} end` })),
  ],
  continuity: (memory) => [
    { kind: "continuity" },
    async (marker) => void (await memory.working.updateContinuity({ note: `continuity ${marker} end` })),
  ],
};

for (;;) {
  const orders = ask("between");
  if (orders.end) break;
  const memory = await openMemory({
    root,
    environment: { RALPH_HOME: `${root}/.home` },
    clock: () => new Date(Date.now() + orders.clockShiftMs),
    onNotice: (notice) => say("N", notice),
  });
  if (orders.repair) {
    try {
      say("H", await memory.checkHealth({ repair: true }));
    } catch (error) {
      say("X", { kind: "repair", stack: String(error?.stack ?? error) });
    }
  }
  for (const [index, { verb, note, task }] of orders.operations.entries()) {
    if (index === orders.middleAt) ask("middle");
    const [operation, work] = verbs[verb](memory, { note, task });
    await attempt(operation, work);
  }
  try {
    await memory.close();
  } catch (error) {
    if (error instanceof RalphError) say("E", { kind: "close", code: error.code, message: error.message });
    else say("X", { kind: "close", stack: String(error?.stack ?? error) });
  }
}
