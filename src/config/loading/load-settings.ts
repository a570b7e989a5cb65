import type { Environment } from "../../domain/environment.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import { suggest } from "../../text/nearest.js";
import { agentRequestName, type TrustRequest } from "../../trust/request.js";
import { defaultSettings, type Settings } from "../default-settings.js";
import type { LoadedSettings } from "../loaded-settings.js";
import { maySet } from "../paths.js";
import { isRefused, requestsOf } from "./guarded-settings.js";
import { readSettingsFile, type SettingsFile } from "./read-settings-file.js";
import {
  isSettingKey,
  readSetting,
  type SettingKey,
  settingBlocks,
  settingKeys,
  unknownSetting,
} from "./schema.js";
import type { SettingsCache } from "./settings-cache.js";
import { withholdKeys } from "./withhold-keys.js";

export interface SettingsSources {
  /** The user's file, then the project's. */
  files: readonly [string] | readonly [string, string];
  /** Whether the user allowed what the project's file asks for. */
  allows(request: TrustRequest): boolean;
  environment: Environment;
  cache?: SettingsCache;
}

/**
 * Merges defaults, the user's file, the project's file and the environment, in this order. What the project's file may not
 * set is left out.
 */
export async function loadSettings(sources: SettingsSources): Promise<LoadedSettings> {
  const { files, environment, cache, allows } = sources;
  const settings: Record<string, unknown> = { ...defaultSettings };
  const origins: Record<string, string> = {};
  const requested: TrustRequest[] = [];
  const leftOut: TrustRequest[] = [];
  const refused: SettingKey[] = [];
  const set = (key: SettingKey, value: unknown, origin: string) => {
    if (key === "secrets.patterns") {
      settings[key] = [...new Set([...(settings[key] as string[]), ...(value as string[])])];
      origins[key] = origin;
      return;
    }
    // Each file may add entries to a map.
    settings[key] = isObject(value) ? { ...(settings[key] as object), ...value } : value;
    origins[key] = origin;
  };
  const setFromProject = (key: SettingKey, value: unknown, origin: string) => {
    if (isRefused(key, value)) {
      if (JSON.stringify(value) !== JSON.stringify(settings[key])) refused.push(key);
      return;
    }
    const requests = requestsOf(key, value, settings[key]);
    const denied = requests.filter((request) => !allows(request));
    requested.push(...requests);
    leftOut.push(...denied);
    const allowed = isObject(value) ? withoutDenied(value, denied) : denied.length === 0 ? value : undefined;
    if (allowed !== undefined) set(key, allowed, origin);
  };
  for (const key of settingKeys) origins[key] = "default";
  const otherBlocks: LoadedSettings["otherBlocks"] = [];
  const projectFile = files[1];
  for (const path of files) {
    const file = await readSettingsFile(path, cache);
    if (file === undefined) continue;
    const setOne = path === projectFile ? setFromProject : set;
    for (const [key, raw] of knownValues(file)) setOne(key, readSetting(key, raw, path), path);
    otherBlocks.push(...file.otherBlocks.map((block) => ({ path, block })));
  }
  for (const [key, variable, raw] of variablesOf(environment))
    set(key, readSetting(key, raw, variable), variable);
  const safe = withholdKeys(settings as unknown as Settings, origins, projectFile);
  return {
    settings: safe.settings,
    origins: safe.origins as Record<SettingKey, string>,
    otherBlocks,
    requested,
    leftOut,
    refused,
  };
}

function withoutDenied(
  agents: Readonly<Record<string, unknown>>,
  denied: readonly TrustRequest[],
): Record<string, unknown> | undefined {
  const names = new Set(denied.map(({ name }) => name));
  const kept = Object.entries(agents).filter(([name]) => !names.has(agentRequestName(name)));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** The values that are set; a key without a value is skipped, but must still be known. */
function knownValues({ path, values }: SettingsFile): [SettingKey, unknown][] {
  return Object.entries(values).flatMap(([key, raw]): [SettingKey, unknown][] => {
    if (isSettingKey(key)) return raw === null ? [] : [[key, raw]];
    if (raw === null && settingKeys.some((known) => known.startsWith(`${key}.`))) return [];
    throw unknownSetting(key, path);
  });
}

function variablesOf(environment: Environment): [SettingKey, string, string][] {
  const found: [SettingKey, string, string][] = [];
  const variables = new Map(settingKeys.map((key) => [variableOf(key), key]));
  for (const [variable, value] of Object.entries(environment)) {
    if (value === undefined || value === "" || !isSettingVariable(variable)) continue;
    const key = variables.get(variable);
    if (key === undefined) {
      throw new RalphError("invalid-settings", `Unknown setting variable: ${variable}`, {
        hint: suggest(variable, [...variables.keys()]),
      });
    }
    found.push([key, variable, value]);
  }
  return found;
}

function variableOf(key: string): string {
  return `RALPH_${key.replaceAll(".", "_").toUpperCase()}`;
}

function isSettingVariable(variable: string): boolean {
  return maySet(variable) && settingBlocks.some((block) => variable.startsWith(`${variableOf(block)}_`));
}
