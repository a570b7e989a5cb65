import { join } from "node:path";
import { namesIn } from "../files/names-in.js";

export const folderName = "sessions";

/** The files of sessions that are not finished. */
export function listSessionFiles(storeDirectory: string): string[] {
  const folder = join(storeDirectory, folderName);
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name));
}
