import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

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

/** On Windows a program is called without its ending; a file that has none is a script for another system. */
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
