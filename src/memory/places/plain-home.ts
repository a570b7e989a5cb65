import { existsSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { isHomeFolder, type Project } from "../../files/find-project.js";

/** Whether it is the user's home, of which nobody has made a project: the `.ralph` in it is the user's own. */
export function isPlainHome({ root, isUnmarked = false }: Project): boolean {
  return isUnmarked && isHomeFolder(root) && !existsSync(join(root, ".agent"));
}

export function homeIsNoProject({ root }: Project): RalphError {
  return new RalphError("wrong-use", `Your home folder is not a project: ${root}`, {
    hint: 'go to the folder of one; "ralph memory add --global" is for notes that count in all of them, and "ralph init" makes a project of it all the same',
  });
}
