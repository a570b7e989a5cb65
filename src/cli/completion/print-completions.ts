import { settingDefinitions, settingKeys } from "../../config/loading/schema.js";
import type { Environment } from "../../domain/environment.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { listAgentNames } from "../../domain/tasks/agent.js";
import type { Memory } from "../../memory/memory.js";
import { openMemory } from "../../memory/open-memory.js";
import { runsOf } from "../../memory/runs/runs.js";
import type { Terminal } from "../output/terminal/terminal.js";
import { type Candidate, completeWords, type RecordKind } from "./complete-words.js";

/**
 * What a shell asks while somebody types: the shell's name, then the words behind `ralph`, ending with the word being typed.
 * Prints one candidate per line. It is silent about whatever goes wrong.
 */
export async function printCompletions(
  [shell = "", ...words]: readonly string[],
  terminal: Pick<Terminal, "out">,
  environment: Environment,
): Promise<number> {
  const found: Candidate[] = [];
  const memories: Memory[] = [];
  try {
    const completed = await completeWords(words.map(unquoted), {
      isDescribed: shell !== "bash",
      async findIds(kind, root) {
        const memory = await openMemory({ root, environment, isShortLived: true, isForgiving: true });
        memories.push(memory);
        return findRecords[kind](memory);
      },
    });
    if (Array.isArray(completed)) found.push(...completed);
    else terminal.out(`:${completed}\n`);
  } catch {
    // There is nobody to tell: the person is in the middle of a line.
  }
  const lines = found.map(({ value, summary = "" }) =>
    shell === "bash" || summary === "" ? value : `${value}\t${summary}`,
  );
  terminal.out(lines.map((line) => `${line}\n`).join(""));
  for (const memory of memories) await memory.close().catch(() => undefined);
  return 0;
}

/** Shells hand over words as they were typed; the quote of the last one may still be open. */
function unquoted(word: string): string {
  const [quote = ""] = word;
  if (quote !== '"' && quote !== "'") return word.replaceAll(/\\(.)/g, "$1");
  return word.slice(1, word.length > 1 && word.endsWith(quote) ? -1 : undefined);
}

/** More than anybody looks through. */
const limit = 100;

/** The newest records of a kind, with a few words about each. */
const findRecords: Record<RecordKind, (memory: Memory) => Promise<Candidate[]>> = {
  task: async ({ tasks }) =>
    (await tasks.list({ limit })).map(({ id, description }) => ({ value: id, summary: description })),
  resumable: async (memory) => {
    const { listResumable } = await import("../../loop/start/find-resumable.js");
    return described(memory, await listResumable(memory));
  },
  stoppable: async (memory) => {
    const runs = runsOf(memory);
    const paused = (await runs.listPaused()).map(({ task }) => task.id);
    return described(memory, [...(await runs.list()).map(({ task_id: id }) => id), ...paused]);
  },
  agent: async (memory) =>
    listAgentNames((await memory.settings()).settings.agents).map((value) => ({ value })),
  note: async ({ notes }) =>
    (await notes.list({ limit })).map(({ id, content }) => ({ value: id, summary: content })),
  learning: async ({ learnings }) =>
    (await learnings.list({ limit })).map((each) => ({ value: each.id, summary: statementOf(each) })),
  staged: async ({ learnings }) =>
    (await learnings.listStaged()).map(({ id, learning }) => ({ value: id, summary: statementOf(learning) })),
  handoff: async ({ working }) =>
    (await working.listHandoffs({}))
      .slice(0, limit)
      .map(({ id, context }) => ({ value: id, summary: context.what_was_done })),
  skill: async ({ skills }) =>
    (await skills.list()).map(({ name, description }) => ({ value: name, summary: description })),
  setting: async () => settingKeys.map((key) => ({ value: key, summary: settingDefinitions[key].summary })),
};

async function described(memory: Memory, ids: readonly string[]): Promise<Candidate[]> {
  return Promise.all(
    [...new Set(ids)].map(async (id) => ({
      value: id,
      summary: (await memory.tasks.history(id)).description,
    })),
  );
}
