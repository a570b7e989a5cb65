import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { win32 } from "node:path";
import type { Environment } from "../domain/environment.js";
import { RalphError } from "../domain/ralph-error.js";

/** What is started, with words that Windows passes on as they are if `isVerbatim`. */
interface WindowsProgram {
  program: string;
  args: readonly string[];
  isVerbatim: boolean;
}

/**
 * npm installs programs as `.cmd` files, which only `cmd.exe` can run. It would take some characters of an argument for commands:
 * such arguments are refused, not escaped, since there is no way that holds for every file.
 */
export function findWindowsProgram(
  program: string,
  args: readonly string[],
  environment: Environment,
  isThere: (path: string) => boolean = existsSync,
): WindowsProgram {
  const path = findOnPath(program, environment, isThere) ?? program;
  if (!/\.(?:cmd|bat)$/i.test(path)) return { program: path, args, isVerbatim: false };
  const unsafe = [path, ...args].find((word) => /["%!^&|<>\r\n]/.test(word));
  if (unsafe !== undefined) {
    throw new RalphError("program-unusable", `${program} cannot be given this argument on Windows`, {
      hint: 'set "prompt: stdin" for this agent, or name its .exe file',
    });
  }
  const line = [path, ...args].map((word) => `"${word}"`).join(" ");
  return { program: "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], isVerbatim: true };
}

/** Never from the current folder, where Windows would look first: a repository could bring its own. */
function findOnPath(
  program: string,
  environment: Environment,
  isThere: (path: string) => boolean,
): string | undefined {
  const endings = ["", ...(variable(environment, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";")];
  const hasFolder = /[\\/]/.test(program);
  const folders = hasFolder
    ? [""]
    : (variable(environment, "PATH") ?? "").split(";").filter(win32.isAbsolute);
  const hasEnding = /\.\w+$/.test(program);
  const names = (hasEnding ? endings : endings.slice(1)).map((ending) => `${program}${ending}`);
  const paths = folders.flatMap((folder) =>
    names.map((name) => (hasFolder ? name : win32.join(folder, name))),
  );
  return paths.find(isThere);
}

/** Windows does not tell apart upper and lower case in their names. */
function variable(environment: Environment, name: string): string | undefined {
  const key = Object.keys(environment).find((each) => each.toUpperCase() === name);
  return key === undefined ? undefined : environment[key];
}

/**
 * Windows has neither process groups nor signals that a program could answer: a program and what it started are ended together,
 * at once. What was started by a process that has ended already is not found.
 */
export function killTree(pid: number): void {
  spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
}
