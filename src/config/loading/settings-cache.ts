import { dirname, join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import type { FileStamp } from "../../files/file-stamp.js";
import { makeFolder } from "../../files/make-folder.js";
import { readRegularFile } from "../../files/read-regular-file.js";
import { replaceFile } from "../../files/replace-file.js";

/** A cache of parsed settings files, keyed by path and stamp. */
export interface SettingsCache {
  find(path: string, stamp: FileStamp): string | undefined;
  save(path: string, stamp: FileStamp, content: string): void;
}

const maxFiles = 20;

/** In the user's own folder: agents can change whatever lies in a project. */
export function settingsCache(ralphHome: string): SettingsCache {
  const file = join(ralphHome, "cache", "settings.json");
  return {
    find(path, stamp) {
      const entry = entriesIn(file).find((each) => each.path === path && each.stamp === stamp);
      return entry?.content;
    },
    save(path, stamp, content) {
      const others = entriesIn(file).filter((each) => each.path !== path);
      try {
        makeFolder(dirname(file), 0o700);
        replaceFile(file, JSON.stringify([{ path, stamp, content }, ...others].slice(0, maxFiles)));
      } catch (error) {
        // A home that cannot be written to only costs time.
        if (!(error instanceof RalphError)) throw error;
      }
    },
  };
}

type Entry = Record<"path" | "stamp" | "content", string>;

function entriesIn(file: string): Entry[] {
  try {
    const entries: unknown = JSON.parse(readRegularFile(file).toString("utf8"));
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Entry {
  return (
    isObject(value) && [value.path, value.stamp, value.content].every((each) => typeof each === "string")
  );
}
