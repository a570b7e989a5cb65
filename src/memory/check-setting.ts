import { resolve } from "node:path";
import type { LoadedSettings } from "../config/loaded-settings.js";
import { loadSettings } from "../config/loading/load-settings.js";
import type { SettingKey } from "../config/loading/schema.js";
import type { Environment } from "../domain/environment.js";
import { RalphError } from "../domain/ralph-error.js";
import { listAgentNames, unknownAgent } from "../domain/tasks/agent.js";
import type { Project } from "../files/find-project.js";
import { isInside, realPathOf, refuseGit } from "../files/path-inside.js";
import { shownAddress } from "../text/secrets/shown-address.js";
import { agentRequestName } from "../trust/request.js";

interface Surroundings {
  project: Project;
  settings(): Promise<LoadedSettings>;
  environment: Environment;
  /** The user's file, if the value is to stand there: other projects know only what it defines. */
  ownFile?: string | undefined;
}

type Rule = (value: string, surroundings: Surroundings, key: SettingKey) => void | Promise<void>;

/** Rules that the value alone does not tell, so that a file with such a value is read, and told of when the value is used. */
const rules: Partial<Record<SettingKey, Rule>> = {
  async "continuity.path"(path, { project }) {
    const { continuityPath } = await import("../working/continuity-file.js");
    continuityPath(project.home, path);
  },
  async "store.url"(address, { environment }) {
    const { parseAddress } = await import("../store/postgres/connection/address.js");
    if (address !== "") parseAddress(address, environment);
  },
  "embedder.address": checkServer,
  "reflector.address": checkServer,
  "run.agent": checkAgent,
  "memory_config.storage.reflections_path": checkPath,
  "cross_task_learning.storage.memory_path": checkPath,
  async "cross_task_learning.storage.index_file"(name, { project: { root }, settings: load }, key) {
    const { settings } = await load();
    pathOfSetting(key, name, {
      root,
      from: resolve(root, settings["cross_task_learning.storage.memory_path"]),
    });
  },
  "cross_task_learning.storage.embeddings_path": checkPath,
  "cross_task_learning.storage.reflections_path": checkPath,
};

/** Refuses a value that could be written to a settings file, and could not be used from there. */
export async function checkSetting(
  key: SettingKey,
  value: unknown,
  surroundings: Surroundings,
): Promise<void> {
  if (typeof value === "string") await rules[key]?.(value, surroundings, key);
}

function checkServer(address: string, _surroundings: Surroundings, key: SettingKey): void {
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return;
  throw new RalphError("invalid-settings", `${key} is no address of a server: ${shownAddress(address)}`, {
    hint: "such as http://127.0.0.1:8080/v1",
  });
}

/** An agent that the project's file defines may wait for the user's consent; other projects do not know it. */
async function checkAgent(name: string, { settings: load, environment, ownFile }: Surroundings) {
  const { settings, requested } = await load();
  const own =
    ownFile === undefined
      ? undefined
      : (await loadSettings({ files: [ownFile], allows: () => true, environment })).settings;
  const { agents } = own ?? settings;
  if (name === "" || listAgentNames(agents).includes(name)) return;
  const isOfProject = requested.some((request) => request.name === agentRequestName(name));
  if (!isOfProject) throw unknownAgent(name, agents);
  if (own !== undefined)
    throw new RalphError("invalid-settings", `Only this project defines the agent ${name}`, {
      hint: `leave out --global, or define it under "agents:" in ${ownFile} too`,
    });
}

function checkPath(given: string, { project }: Surroundings, key: SettingKey): void {
  pathOfSetting(key, given, project);
}

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
