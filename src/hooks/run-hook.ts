import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { textOf } from "../agents/streams/fields.js";
import type { Settings } from "../config/default-settings.js";
import { userHome } from "../config/paths.js";
import { type Environment, homeFolder } from "../domain/environment.js";
import { messageOf } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
import { appendToLog } from "../files/append-to-log.js";
import { isFolder } from "../files/find-stats.js";
import { isInside } from "../files/path-inside.js";
import { isProject, mayTakeLong, type OpenProject, openProject } from "../memory/project/open-project.js";
import { redact } from "../text/secrets/redact.js";
import { handleEvent, hookContext } from "./handle-event.js";
import { standIn, workingFolder } from "./hook-folder.js";
import { type HookAgent, type HookEvent, hookAgents } from "./hook-formats.js";

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

/** In the environment of the process that does the work for another one. */
const childVariable = "RALPH_HOOK_CHILD";
/** When a process that takes long is ended, and until when it indexes notes that have changed. */
const lastAnswerMs = 1800;
const indexUntilMs = 900;

/**
 * Answers a hook of an agent. Whatever goes wrong, the answer is one that changes nothing: a fault of the memory must not stop an
 * agent.
 */
export async function runHook({
  agent: name,
  eventName,
  readInput,
  environment,
}: HookInput): Promise<string> {
  const agent = hookAgents.get(name);
  let storeDirectory: string | undefined;
  let project: OpenProject | undefined;
  try {
    const text = await readInput();
    if (agent === undefined) throw new Error(`no hooks are known of ${name || "an agent without a name"}`);
    // Ralph drives this agent itself, and records everything already.
    if (environment.RALPH_TASK) return agent.answer(eventName, "");
    const input: unknown = JSON.parse(text);
    if (!isObject(input)) throw new Error("standard input is no JSON object");
    const event = agent.read(eventName, input, new Date());
    const session = textOf(input.session_id);
    if (event === undefined || session === "") return agent.answer(eventName, "");
    const folder = textOf(input.cwd) || workingFolder();
    const root =
      folder !== undefined && isFolder(folder)
        ? folder
        : standInFor(folder, { name, agent, session, environment });
    project = openProject({
      root,
      environment,
      busyTimeoutMs: timeToWait(event),
      isShortLived: true,
      isAwaited: isAwaited(event),
      indexUntilMs,
    });
    const opened = project;
    ({ storeDirectory } = await opened.place());
    if (!environment[childVariable] && (await mayTakeLong(opened))) {
      const timeoutMs = lastAnswerMs - performance.now();
      const answer = await answerInChild([name, eventName], {
        input: text,
        environment: { ...environment, [childVariable]: "1" },
        timeoutMs,
      });
      if (answer !== undefined) return answer;
      throw new Error(`not done after ${lastAnswerMs} ms: the notes or records of this project take longer`);
    }
    const folders = folder === undefined ? [root] : [folder, root];
    if (!(await isProject(opened)) || isExcluded(await opened.settings(), eventName, { folders, event }))
      return agent.answer(eventName, "");
    const context = await opened.redacting(async () =>
      handleEvent(await hookContext(opened, { agent: name, maxContext: agent.maxContext }), {
        ...{ session, event, folder },
      }),
    );
    return agent.answer(eventName, context);
  } catch (error) {
    // It may quote what the agent passed on.
    const fault = redact(messageOf(error)).text;
    appendToLog(storeDirectory ?? userHome(environment), `hook ${name} ${eventName}: ${fault}`);
    return agent?.answer(eventName, "") ?? "{}\n";
  } finally {
    await project?.close().catch(() => undefined);
  }
}

/** The folder of the session's project, now that its own is gone. */
function standInFor(
  folder: string | undefined,
  {
    name,
    agent: { projectVariable = "" },
    session,
    environment,
  }: { name: string; agent: HookAgent; session: string; environment: Environment },
): string {
  const others = [environment[projectVariable], workingFolder()];
  const found = standIn({ folder, agent: name, session, others, environment });
  if (found !== undefined) return found;
  throw new Error(`${folder ?? "the working folder"} is gone, and no project knows the session`);
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

function isExcluded(
  settings: Settings,
  eventName: string,
  { folders, event }: { folders: readonly string[]; event: HookEvent },
): boolean {
  const { "hooks.enabled": isEnabled, "hooks.events": events, "hooks.exclude": excluded } = settings;
  if (!isEnabled || (events.length > 0 && !events.includes(eventName))) return true;
  return excluded.some((each) => {
    if (/^(?:~|\.{0,2}\/)/.test(each)) {
      const outer = each.startsWith("~") ? join(homeFolder(), each.slice(1)) : resolve(each);
      return folders.some((folder) => isInside(outer, folder));
    }
    return event.kind === "prompt" && matches(each, event.text);
  });
}

const patternMs = 200;

/** A repository may bring a pattern that takes forever: one that does is a fault. */
function matches(pattern: string, text: string): boolean {
  return runInNewContext('new RegExp(pattern, "i").test(text)', { pattern, text }, { timeout: patternMs });
}

/** Far more than an agent takes. */
const maxAnswer = 1024 * 1024;

/**
 * Answers in a process of its own, which is killed when the time is up, so that no work can keep this one from answering. What the
 * other one has recorded by then is in the database. Undefined if there was no answer.
 */
function answerInChild(
  words: readonly string[],
  { input, environment, timeoutMs }: { input: string; environment: Environment; timeoutMs: number },
): Promise<string | undefined> {
  const [, program = ""] = process.argv;
  return new Promise((answer) => {
    const child = execFile(
      process.execPath,
      [...process.execArgv, program, "hook", ...words],
      {
        env: environment,
        ...{ timeout: Math.max(1, Math.round(timeoutMs)), killSignal: "SIGKILL" as const },
        ...{ maxBuffer: maxAnswer, windowsHide: true },
      },
      (error, stdout) => answer(error === null ? stdout : undefined),
    );
    // It may end before it has read everything.
    child.stdin?.on("error", () => undefined).end(input);
  });
}
