import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fillMemory } from "./fill-memory.mjs";
import { medians, ralph, round, row, startIn } from "./measure.mjs";

const bar = 3;

/** The events of a session, each as a ratio to starting Node, with everything there is to look through. */
export async function measureHooks(folder, { notes, records, runs }) {
  const memory = await fillMemory(folder, { notes, records });
  await memory.close();
  mkdirSync(join(folder, ".git"));
  let calls = 0;
  const hook = (event, fieldsOf) => () => {
    calls += 1;
    const fields = { session_id: "going-on", cwd: folder, hook_event_name: event, ...fieldsOf(calls) };
    return startIn(folder, [ralph, "hook", "claude", event], JSON.stringify(fields));
  };
  const events = {
    "a session starts": [bar, hook("SessionStart", () => ({ session_id: "starting", source: "startup" }))],
    "the first prompt of a task": [
      bar,
      hook("UserPromptSubmit", (number) => ({ session_id: `new-${number}`, prompt: promptAbout(number) })),
    ],
    "a further prompt": [bar, hook("UserPromptSubmit", (number) => ({ prompt: promptAbout(number) }))],
    "a tool was used": [
      bar,
      hook("PostToolUse", (number) => ({ ...bash(number), tool_response: { stdout: "ok", stderr: "" } })),
    ],
    "a tool failed": [
      bar,
      hook("PostToolUseFailure", (number) => ({
        ...bash(number),
        error: "Exit code 1\nError: no such part",
      })),
    ],
    "a turn ends": [bar, hook("Stop", () => ({ last_assistant_message: "The retry waits for the cache." }))],
  };
  const cases = Object.fromEntries(Object.entries(events).map(([name, [, run]]) => [name, run]));
  const { "node -e 0": baseline, ...times } = await medians(
    { "node -e 0": () => startIn(folder, ["-e", "0"], "{}"), ...cases },
    runs,
  );
  return Object.entries(times).map(([name, time]) =>
    row(`hook, ${name} ÷ node -e 0`, time / baseline, events[name][0], {
      median_ms: round(time),
      at: `${notes} notes, ${records} records`,
    }),
  );
}

function promptAbout(number) {
  return `Why does the retry of queue ${number} wait so long?`;
}

function bash(number) {
  return {
    tool_name: "Bash",
    tool_input: { command: `npm test -- part-${number}` },
    tool_use_id: `toolu_${number}`,
  };
}
