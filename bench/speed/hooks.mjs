import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fillMemory } from "./fill-memory.mjs";
import { medians, ralph, round, row, startIn } from "./measure.mjs";

const recordingBar = 2;
const injectingBar = 2.2;
const session = { session_id: "speed", transcript_path: "/tmp/speed.jsonl" };

/** The events of a session, each as a ratio to starting Node, with everything there is to look through. */
export async function measureHooks(folder, { notes, records, runs }) {
  const memory = await fillMemory(folder, { notes, records });
  await memory.close();
  mkdirSync(join(folder, ".git"));
  let calls = 0;
  const hook = (event, fields) => () => {
    calls += 1;
    const input = JSON.stringify({ ...session, cwd: folder, hook_event_name: event, ...fields(calls) });
    return startIn(folder, [ralph, "hook", "claude", event], input);
  };
  const bash = (number) => ({
    tool_name: "Bash",
    tool_input: { command: `npm test -- part-${number}` },
    tool_use_id: `toolu_${number}`,
  });
  const events = {
    SessionStart: [injectingBar, hook("SessionStart", () => ({ source: "startup" }))],
    UserPromptSubmit: [
      injectingBar,
      hook("UserPromptSubmit", (number) => ({
        prompt: `Why does the retry of queue ${number} wait so long?`,
      })),
    ],
    PostToolUse: [
      recordingBar,
      hook("PostToolUse", (number) => ({ ...bash(number), tool_response: { stdout: "ok", stderr: "" } })),
    ],
    PostToolUseFailure: [
      recordingBar,
      hook("PostToolUseFailure", (number) => ({
        ...bash(number),
        error: "Exit code 1\nError: no such part",
      })),
    ],
    Stop: [recordingBar, hook("Stop", () => ({ last_assistant_message: "The retry waits for the cache." }))],
  };
  const cases = Object.fromEntries(Object.entries(events).map(([name, [, run]]) => [name, run]));
  const { "node -e 0": baseline, ...times } = await medians(
    { "node -e 0": () => startIn(folder, ["-e", "0"], "{}"), ...cases },
    runs,
  );
  return Object.entries(times).map(([name, time]) =>
    row(`hook ${name} ÷ node -e 0`, time / baseline, events[name][0], {
      median_ms: round(time),
      at: `${notes} notes, ${records} records`,
    }),
  );
}
