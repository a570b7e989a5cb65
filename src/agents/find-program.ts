import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** The file that a program's name stands for: on the search path, or from the folder when it is a path. */
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
    .filter((place) => place !== "")
    .map((place) => join(resolve(folder, place), program))
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
