import { realpathSync } from "node:fs";
import { findProgram } from "../agents/find-program.js";
import { hasSucceeded, runProcess } from "../processes/run-process.js";
import type { AgentName, Places } from "./agent-files.js";
import { isThis, type OwnProgram, wordsOfHook } from "./own-program.js";

/** Whether a hook answers; a hook that would start anything but this Ralph is not run. */
export type HookTrial =
  | { kind: "fired"; elapsedMs: number; contextCharacters: number }
  | { kind: "failed"; reason: string }
  | { kind: "not-run"; reason: string };

const timeoutMs = 20_000;

/** Runs the hook's command with a session start on its standard input, as the agent does. */
export async function tryHook(
  command: string,
  { agent, places, program }: { agent: AgentName; places: Places; program: OwnProgram },
): Promise<HookTrial> {
  const words = wordsOfHook(command);
  const at = words.indexOf("hook");
  const started = resolveOwn(words.slice(0, at), places, program);
  if (typeof started === "string") return { kind: "not-run", reason: started };
  const event = {
    ...{ session_id: "ralph-setup-check", transcript_path: "", cwd: places.root },
    ...{ hook_event_name: "SessionStart", source: "startup", timestamp: new Date().toISOString() },
  };
  const result = await runProcess({
    program: started.program,
    args: [...started.args, "hook", agent, "SessionStart"],
    folder: places.root,
    environment: places.environment,
    input: `${JSON.stringify(event)}\n`,
    timeoutMs,
  });
  if (!hasSucceeded(result)) {
    const said = (result.errorOutput || result.output).trim().split("\n").at(-1) ?? "";
    const how =
      result.endedBy === "exit" ? `exit code ${result.exitCode ?? result.signal}` : "no answer in time";
    return { kind: "failed", reason: said === "" ? how : `${how}: ${said}` };
  }
  const context = contextOf(result.output);
  if (context === undefined) return { kind: "failed", reason: "its answer is not JSON" };
  return { kind: "fired", elapsedMs: result.elapsedMs, contextCharacters: context.length };
}

/** The file to run is never taken from the settings, which may not be the user's. */
function resolveOwn(
  words: readonly string[],
  { root, environment }: Places,
  { file, node }: OwnProgram,
): { program: string; args: string[] } | string {
  const [first = "", second] = words;
  const found = findProgram(first, { folder: root, searchPath: environment.PATH });
  if (found === undefined) return `${first} is not found`;
  if (second === undefined)
    return isThis(found, file) ? { program: found, args: [] } : `${found} is another program than this Ralph`;
  if (realpathSync(found) !== realpathSync(node))
    return `${found} is another Node than the one that runs this Ralph`;
  return isThis(second, file)
    ? { program: node, args: [file] }
    : `${second} is another program than this Ralph`;
}

/** An empty answer is valid. */
function contextOf(output: string): string | undefined {
  if (output.trim() === "") return "";
  try {
    const answer = JSON.parse(output) as { hookSpecificOutput?: { additionalContext?: unknown } } | null;
    const context = answer?.hookSpecificOutput?.additionalContext;
    return typeof context === "string" ? context : "";
  } catch {
    return undefined;
  }
}
