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

/** A file that is there, but may not be run. */
export function isNotExecutable(program: string, folder: string): boolean {
  const path = resolve(folder, program);
  return (
    program.includes("/") && statSync(path, { throwIfNoEntry: false })?.isFile() === true && !isProgram(path)
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
