import { existsSync } from "node:fs";
import { join } from "node:path";
import { isObject, isText } from "../../domain/shape.js";
import { findSettings } from "../building/find-settings.js";
import type { Layout, Surroundings } from "../layout.js";
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

function folderInSettings(path: string): string | undefined {
  const settings = findSettings(path);
  const { CLAUDE_MEM_DATA_DIR: folder } = isObject(settings.env) ? settings.env : settings;
  return isText(folder) ? folder : undefined;
}
