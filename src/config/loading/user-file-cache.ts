import { dirname, join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import { makeFolder } from "../../files/make-folder.js";
import { readRegularFile } from "../../files/read-regular-file.js";
import type { ParsedFileCache } from "./read-settings-file.js";

/** Keeps the user's parsed settings beside the user's own files: whatever lies in a project, its agents can change. */
export function userFileCache(ralphHome: string): ParsedFileCache {
  const file = join(ralphHome, "cache", "settings.json");
  return {
    async find(path, stamp) {
      const kept = parsed(file);
      const isSame = isObject(kept) && kept.path === path && kept.stamp === stamp;
      return isSame && typeof kept.content === "string" ? kept.content : undefined;
    },
    async save(path, stamp, content) {
      const { replaceFile } = await import("../../files/replace-file.js");
      try {
        makeFolder(dirname(file), 0o700);
        replaceFile(file, JSON.stringify({ path, stamp, content }));
      } catch (error) {
        // A home that cannot be written to only costs time.
        if (!(error instanceof RalphError)) throw error;
      }
    },
  };
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readRegularFile(path).toString("utf8"));
  } catch {
    return undefined;
  }
}
