import { resolve } from "node:path";
import type { SettingKey } from "../../config/loading/schema.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isInside, realPathOf, refuseGit } from "../../files/path-inside.js";

/** Where a path of the settings leads; throws if that is outside the project, also through links, or belongs to git. */
export function pathOfSetting(
  key: SettingKey,
  given: string,
  { root, from = root }: { root: string; from?: string },
): string {
  const path = resolve(from, given);
  if (!isInside(realPathOf(root), realPathOf(path)))
    throw new RalphError("invalid-settings", `${key} is outside the project: ${given}`, {
      hint: "give a path inside of it, without links that lead out",
    });
  refuseGit(path);
  return path;
}
