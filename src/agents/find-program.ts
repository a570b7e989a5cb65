import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** The path of a program: found on the search path, or relative to the folder when it contains a slash. */
export function findProgram(
  program: string,
  { folder, searchPath }: { folder: string; searchPath: string | undefined },
): string | undefined {
  if (program.includes("/")) {
    const path = resolve(folder, program);
    return isProgram(path) ? path : undefined;
  }
  return (searchPath ?? "")
    .split(delimiter)
    .filter((entry) => entry !== "")
    .map((entry) => join(resolve(folder, entry), program))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
