import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isSystemError, messageOf, RalphError } from "../domain/ralph-error.js";

/** Loads a package that is not one of our dependencies from the first folder that has it, or says how to install it. */
export function loadOptionalPackage<Module>(
  name: string,
  folders: readonly string[],
  installArguments: string,
): Module {
  for (const folder of [...folders, import.meta.dirname, globalPackages()]) {
    const load = createRequire(join(folder, "package.json"));
    const path = resolveIn(load, name);
    if (path === undefined) continue;
    try {
      return load(path) as Module;
    } catch (error) {
      throw new RalphError("missing-package", `The package ${name} cannot be loaded: ${firstLine(error)}`, {
        hint: `reinstall it with "npm install ${installArguments}"`,
        cause: error,
      });
    }
  }
  throw new RalphError("missing-package", `The package ${name} is not installed`, {
    hint: `run "npm install ${installArguments}" in the project, or "npm install -g ${installArguments}"`,
  });
}

function resolveIn(load: NodeJS.Require, name: string): string | undefined {
  try {
    return load.resolve(name);
  } catch (error) {
    if (isSystemError(error, "MODULE_NOT_FOUND")) return undefined;
    throw error;
  }
}

/** Where `npm install -g` installs packages for this Node. */
function globalPackages(): string {
  const folder = dirname(process.execPath);
  const packages = join(dirname(folder), "lib", "node_modules");
  return existsSync(packages) ? packages : join(folder, "node_modules");
}

function firstLine(error: unknown): string {
  return messageOf(error).split("\n")[0] ?? "";
}
