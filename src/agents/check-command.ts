import type { Environment } from "../domain/environment.js";
import { findProgram } from "./find-program.js";

export type CommandCheck = { kind: "runnable" } | { kind: "cannot-run"; reason: string };

const timeoutMs = 5000;
const runnable: CommandCheck = { kind: "runnable" };

/** Checks without running it whether a command line can run: its syntax and its first program. When unsure, it passes. */
export async function checkCommand(
  command: string,
  place: { folder: string; environment: Environment },
): Promise<CommandCheck> {
  if (command.trim() === "") return cannotRun("it is empty");
  const syntax = await ask(["-n", "-c", command], place);
  if (syntax.failed) return cannotRun(`the shell rejects it: ${syntax.message}`);
  const program = firstProgram(command);
  if (program === undefined) return runnable;
  if (program.includes("/")) {
    const found = findProgram(program, { folder: place.folder, searchPath: undefined });
    return found === undefined ? cannotRun(`program not found: ${program}`) : runnable;
  }
  const known = await ask(["-c", 'command -v -- "$1"', "sh", program], place);
  return known.failed ? cannotRun(`program not found: ${program}`) : runnable;
}

function cannotRun(reason: string): CommandCheck {
  return { kind: "cannot-run", reason };
}

/** The first word after assignments, if it is plain; undefined for variables, functions and other shell syntax. */
function firstProgram(command: string): string | undefined {
  const assignments = /^(?:\s*[A-Za-z_]\w*=(?:'[^']*'|"[^"$`\\]*"|[^\s'"$`\\;&|<>()]*)(?=\s))*\s*/;
  const rest = command.replace(assignments, "");
  const word = /^(?:'([^']+)'|"([^"$`\\]+)"|([\w@%+:,./-]+))(?=$|[\s;&|<>)])/.exec(rest);
  const name = word?.slice(1).find((part) => part !== undefined);
  return name === undefined || /^\s*[\w.-]+\s*\(\)/.test(rest) ? undefined : name;
}

/** Asks the shell; if it cannot be asked, nothing has failed. */
function ask(
  args: string[],
  { folder, environment }: { folder: string; environment: Environment },
): Promise<{ failed: boolean; message: string }> {
  return new Promise((answer) => {
    const options = { cwd: folder, env: environment as NodeJS.ProcessEnv, timeout: timeoutMs };
    const { execFile } = process.getBuiltinModule("node:child_process");
    const child = execFile("sh", args, options, (error, _, stderr) => {
      const message =
        stderr
          .trim()
          .split("\n")[0]
          ?.replace(/^sh: (?:\d+: )?/, "") ?? "";
      answer({ failed: typeof error?.code === "number", message });
    });
    child.stdin?.end();
  });
}
