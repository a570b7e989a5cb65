import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { Environment } from "../domain/environment.js";

/** The path of a program: found on the search path, or relative to the folder when it contains a slash. */
export function findProgram(
  program: string,
  { folder, searchPath }: { folder: string; searchPath: string | undefined },
): string | undefined {
  const names = namesOf(program, process.platform);
  if (program.includes("/") || (process.platform === "win32" && program.includes("\\")))
    return names.map((name) => resolve(folder, name)).find(isProgram);
  return (searchPath ?? "")
    .split(delimiter)
    .filter((entry) => entry !== "")
    .flatMap((entry) => names.map((name) => join(resolve(folder, entry), name)))
    .find(isProgram);
}

/** On Windows a program is called without its extension; a file without one is a script for another system. */
export function namesOf(program: string, platform: NodeJS.Platform): string[] {
  if (platform !== "win32" || /\.\w+$/.test(program)) return [program];
  return [".exe", ".cmd", ".bat", ".com"].map((ending) => `${program}${ending}`);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

type CommandCheck = { kind: "runnable" } | { kind: "cannot-run"; reason: string };

const timeoutMs = 5000;
const runnable: CommandCheck = { kind: "runnable" };

/** Checks a command line without running it: its syntax and its first program. Passes when unsure. */
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

/** Asks the shell; passes if the shell cannot be asked. */
function ask(
  args: string[],
  { folder, environment }: { folder: string; environment: Environment },
): Promise<{ failed: boolean; message: string }> {
  return new Promise((answer) => {
    const options = { cwd: folder, env: environment as NodeJS.ProcessEnv, timeout: timeoutMs };
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
