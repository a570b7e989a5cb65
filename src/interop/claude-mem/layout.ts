import { existsSync } from "node:fs";
import { join } from "node:path";
import { isObject, isText } from "../../domain/shape.js";
import type { Layout, Surroundings } from "../layout.js";
import { findText } from "../read-plain-file.js";
import { databaseFile, readDatabase } from "./read-database.js";

/** The database of claude-mem, which holds all projects of a user. */
export const claudeMemLayout: Layout = {
  name: "claude-mem",
  find: (surroundings) => {
    const path = join(dataFolder(surroundings), databaseFile);
    return existsSync(path) ? [path] : [];
  },
  read: readDatabase,
};

function dataFolder({ home, environment }: Surroundings): string {
  const standard = join(home, ".claude-mem");
  return environment.CLAUDE_MEM_DATA_DIR || folderInSettings(join(standard, "settings.json")) || standard;
}

/** Undefined if the settings cannot be read: they are another program's, and only looked at. */
function folderInSettings(path: string): string | undefined {
  try {
    const settings: unknown = JSON.parse(findText(path) ?? "null");
    const inner = isObject(settings) && isObject(settings.env) ? settings.env : settings;
    const folder = isObject(inner) ? inner.CLAUDE_MEM_DATA_DIR : undefined;
    return isText(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}
