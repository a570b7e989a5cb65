import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { win32 } from "node:path";
import type { Environment } from "../domain/environment.js";
import { RalphError } from "../domain/ralph-error.js";

/** The program to start; with `isVerbatim`, Windows passes its arguments on unchanged. */
interface WindowsProgram {
  program: string;
  args: readonly string[];
  isVerbatim: boolean;
}

/**
 * npm installs programs as `.cmd` files, which only `cmd.exe` can run. It would interpret some characters of an argument: such arguments
 * are refused rather than escaped, since no escaping is right for every file.
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
    throw new RalphError("program-unusable", `Cannot pass this argument to ${program} on Windows`, {
      hint: 'set "prompt: stdin" for this agent, or name its .exe file',
    });
  }
  const line = [path, ...args].map((word) => `"${word}"`).join(" ");
  return { program: "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], isVerbatim: true };
}

/** Skips the current folder, where Windows would search first: a repository could bring its own program. */
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

/** Windows ignores the case of variable names. */
function variable(environment: Environment, name: string): string | undefined {
  const key = Object.keys(environment).find((each) => each.toUpperCase() === name);
  return key === undefined ? undefined : environment[key];
}

/**
 * Windows has neither process groups nor signals that a program can handle: a program and its children are killed together. Children of a
 * process that has already ended are not found.
 */
export function killTree(pid: number): void {
  spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
}
