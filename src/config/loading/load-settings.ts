import type { Environment } from "../../domain/environment.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import { suggest } from "../../text/nearest.js";
import { defaultSettings, type Settings } from "../default-settings.js";
import type { LoadedSettings } from "../loaded-settings.js";
import { type ParsedFileCache, readSettingsFile, type SettingsFile } from "./read-settings-file.js";
import {
  isSettingKey,
  readSetting,
  type SettingKey,
  settingBlocks,
  settingKeys,
  unknownSetting,
} from "./schema.js";
import { withholdKeys } from "./withhold-keys.js";

export interface SettingsSources {
  /** Lowest precedence first. */
  files: readonly string[];
  environment: Environment;
  cache: ParsedFileCache | undefined;
}

/** Merges defaults, the user's file, the project's file and the environment, in this order. */
export async function loadSettings({ files, environment, cache }: SettingsSources): Promise<LoadedSettings> {
  const settings: Record<string, unknown> = { ...defaultSettings };
  const origins: Record<string, string> = {};
  const set = (key: SettingKey, raw: unknown, origin: string) => {
    const value: unknown = readSetting(key, raw, origin);
    // Each file may add entries to a map.
    settings[key] = isObject(value) ? { ...(settings[key] as object), ...value } : value;
    origins[key] = origin;
  };
  for (const key of settingKeys) origins[key] = "default";
  const otherBlocks: LoadedSettings["otherBlocks"] = [];
  for (const path of files) {
    const file = await readSettingsFile(path, cache);
    if (file === undefined) continue;
    for (const [key, raw] of knownValues(file)) set(key, raw, path);
    otherBlocks.push(...file.otherBlocks.map((block) => ({ path, block })));
  }
  for (const [key, variable, raw] of variablesOf(environment)) set(key, raw, variable);
  const projectFile = files.length > 1 ? files.at(-1) : undefined;
  const safe = withholdKeys(settings as unknown as Settings, origins, projectFile);
  return { settings: safe.settings, origins: safe.origins as Record<SettingKey, string>, otherBlocks };
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
  return settingBlocks.some((block) => variable.startsWith(`${variableOf(block)}_`));
}
