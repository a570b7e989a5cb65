import { execFile } from "node:child_process";
import type { Environment } from "../domain/environment.js";
import { findProgram } from "./find-program.js";

export type CommandCheck = { kind: "runnable" } | { kind: "cannot-run"; reason: string };

const timeoutMs = 5000;
const runnable: CommandCheck = { kind: "runnable" };

/** Finds out without running it whether a command line can be run: its grammar, and its first program. When unsure, it can. */
export async function checkCommand(
  command: string,
  place: { folder: string; environment: Environment },
): Promise<CommandCheck> {
  if (command.trim() === "") return cannotRun("it is empty");
  const grammar = await ask(["-n", "-c", command], place);
  if (grammar.isWrong) return cannotRun(`the shell does not understand it: ${grammar.said}`);
  const program = firstProgram(command);
  if (program === undefined) return runnable;
  if (program.includes("/")) {
    const found = findProgram(program, { folder: place.folder, searchPath: undefined });
    return found === undefined ? cannotRun(`there is no program ${program}`) : runnable;
  }
  const known = await ask(["-c", 'command -v -- "$1"', "sh", program], place);
  return known.isWrong ? cannotRun(`there is no program ${program}`) : runnable;
}

function cannotRun(reason: string): CommandCheck {
  return { kind: "cannot-run", reason };
}

/** The first word behind assignments, when it is a plain one; a keyword, a variable or a function leave it open. */
function firstProgram(command: string): string | undefined {
  const assignments = /^(?:\s*[A-Za-z_]\w*=(?:'[^']*'|"[^"$`\\]*"|[^\s'"$`\\;&|<>()]*)(?=\s))*\s*/;
  const rest = command.replace(assignments, "");
  const word = /^(?:'([^']+)'|"([^"$`\\]+)"|([\w@%+:,./-]+))(?=$|[\s;&|<>)])/.exec(rest);
  const name = word?.slice(1).find((part) => part !== undefined);
  return name === undefined || /^\s*[\w.-]+\s*\(\)/.test(rest) ? undefined : name;
}

/** Asks the shell; one that cannot be asked says nothing wrong. */
function ask(
  args: string[],
  { folder, environment }: { folder: string; environment: Environment },
): Promise<{ isWrong: boolean; said: string }> {
  return new Promise((answer) => {
    const options = { cwd: folder, env: environment as NodeJS.ProcessEnv, timeout: timeoutMs };
    const child = execFile("sh", args, options, (error, _, stderr) => {
      const said =
        stderr
          .trim()
          .split("\n")[0]
          ?.replace(/^sh: (?:\d+: )?/, "") ?? "";
      answer({ isWrong: typeof error?.code === "number", said });
    });
    child.stdin?.end();
  });
}
