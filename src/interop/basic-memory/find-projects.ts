import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { isObject, isText } from "../../domain/shape.js";
import { isInside } from "../../files/path-inside.js";
import { findSettings } from "../building/find-settings.js";
import type { Surroundings } from "../layout.js";

/** The folders of notes that are in the project, or named like it; if there are none, that of no project in particular. */
export function findProjects(surroundings: Surroundings): string[] {
  const { root, home } = surroundings;
  const projects = configured(surroundings);
  const own = projects.filter(({ name, path }) => isInside(root, path) || name === basename(root));
  const general = { path: join(home, "basic-memory") };
  const paths = (own.length > 0 ? own : [general]).map(({ path }) => path);
  return [...new Set(paths)].filter((path) => existsSync(path));
}

function configured({ home, environment }: Surroundings): { name: string; path: string }[] {
  const folder =
    environment.BASIC_MEMORY_CONFIG_DIR ||
    (environment.XDG_CONFIG_HOME
      ? join(environment.XDG_CONFIG_HOME, "basic-memory")
      : join(home, ".basic-memory"));
  const { projects } = findSettings(join(folder, "config.json"));
  return Object.entries(isObject(projects) ? projects : {}).flatMap(([name, value]) => {
    const path = isObject(value) ? value.path : value;
    return isText(path) ? [{ name, path: path.replace(/^~(?=\/|$)/, home) }] : [];
  });
}
