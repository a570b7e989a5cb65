import { join, resolve } from "node:path";
import { textOf } from "../agents/streams/fields.js";
import type { Settings } from "../config/default-settings.js";
import type { Environment } from "../domain/environment.js";
import { homeFolder } from "../domain/home-folder.js";
import { messageOf } from "../domain/message-of.js";
import { isObject } from "../domain/shape.js";
import { appendToLog } from "../files/append-to-log.js";
import { isInside } from "../files/path-inside.js";
import { isProject } from "../memory/is-project.js";
import type { Memory } from "../memory/memory.js";
import { openMemory } from "../memory/open-memory.js";
import { sessionOf } from "../memory/session-of.js";
import { hookAgents } from "./agents.js";
import { handleEvent } from "./handle-event.js";
import type { HookCall, HookEvent } from "./hook-event.js";

export interface HookInput {
  agent: string;
  eventName: string;
  /** What the agent writes to standard input. */
  readInput(): Promise<string>;
  environment: Environment;
}

/** How long a hook waits for another process that writes. Two of them may run before a prompt is answered, one after the other. */
const busyTimeoutMs = { beforeAnswer: 500, whileWorking: 1300 };
/** When it waits no longer, in the time since the process began: what could not be recorded by then is kept for later. */
const lastWaitMs = 1400;

/**
 * Answers a hook of an agent. Whatever goes wrong, the answer is one that changes nothing: a fault of the memory must not stop an
 * agent. It is the only place that catches everything.
 */
export async function runHook({
  agent: name,
  eventName,
  readInput,
  environment,
}: HookInput): Promise<string> {
  const agent = hookAgents[name];
  let storeDirectory: string | undefined;
  let memory: Memory | undefined;
  try {
    const text = await readInput();
    if (agent === undefined) throw new Error(`no hooks are known of ${name || "an agent without a name"}`);
    // Ralph drives this agent itself: it records and tells everything already.
    if (environment.RALPH_TASK) return agent.answer(eventName, "");
    const input: unknown = JSON.parse(text);
    if (!isObject(input)) throw new Error("standard input is no JSON object");
    const event = await agent.read(eventName, input, new Date());
    const session = textOf(input.session_id);
    if (event === undefined || session === "") return agent.answer(eventName, "");
    const call: HookCall = { session, folder: textOf(input.cwd) || process.cwd(), event };
    memory = await openMemory({
      root: call.folder,
      environment,
      busyTimeoutMs: timeToWait(event),
      isShortLived: true,
      isAwaited: isAwaited(event),
    });
    ({ storeDirectory } = await sessionOf(memory).place());
    if (!(await isProject(memory)) || isExcluded(await sessionOf(memory).settings(), eventName, call))
      return agent.answer(eventName, "");
    const context = await handleEvent(
      { memory, agent: name, storeDirectory, maxContext: agent.maxContext },
      call,
    );
    return agent.answer(eventName, context);
  } catch (error) {
    appendToLog(
      storeDirectory ?? join(process.cwd(), ".ralph"),
      `hook ${name} ${eventName}: ${messageOf(error)}`,
    );
    return agent?.answer(eventName, "") ?? "{}\n";
  } finally {
    await memory?.close().catch(() => undefined);
  }
}

/** At the end of a turn the agent has nothing left to do; at the end of a session it may give its hooks a second. */
function isAwaited({ kind }: HookEvent): boolean {
  return kind !== "turn-end";
}

function timeToWait({ kind }: HookEvent): number {
  const isAnswered = kind === "session-start" || kind === "prompt";
  const usual = isAnswered ? busyTimeoutMs.beforeAnswer : busyTimeoutMs.whileWorking;
  return Math.max(0, Math.min(usual, lastWaitMs - process.uptime() * 1000));
}

function isExcluded(settings: Settings, eventName: string, { folder, event }: HookCall): boolean {
  const { "hooks.enabled": isEnabled, "hooks.events": events, "hooks.exclude": excluded } = settings;
  if (!isEnabled || (events.length > 0 && !events.includes(eventName))) return true;
  return excluded.some((each) => {
    if (/^(?:~|\.{0,2}\/)/.test(each))
      return isInside(each.startsWith("~") ? join(homeFolder(), each.slice(1)) : resolve(each), folder);
    return event.kind === "prompt" && new RegExp(each, "i").test(event.text);
  });
}
