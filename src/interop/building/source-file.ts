import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { withFileErrors } from "../../files/file-problem.js";
import { unusable } from "../record-fields.js";
import { openSource, type SourceFolder } from "../source-folder.js";

export interface SourceFile {
  source: SourceFolder;
  /** Its path in the folder. */
  file: string;
}

/** A file that was named itself, or the first with one of these names in a folder. */
export function openSourceFile(path: string, names: readonly string[]): SourceFile {
  const stats = withFileErrors(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats?.isFile()) return { source: openSource(dirname(path)), file: basename(path) };
  if (stats !== undefined && !stats.isDirectory()) throw unusable(path, "is not a regular file");
  const source = openSource(path);
  const file = stats === undefined ? undefined : names.find((name) => source.has(name));
  if (file !== undefined) return { source, file };
  throw new RalphError("not-found", stats ? `No ${names.join(" or ")} in ${path}` : `There is no ${path}`, {
    hint: `name the file, such as ${names[0]}`,
  });
}
