import { isSettingKey, type SettingKey, unknownSetting } from "../../../config/loading/schema.js";
import type { ArgumentSpec, OptionSpec } from "../../framework/command.js";

export const settingArgument = {
  name: "key",
  summary: "setting, such as memories.budget",
} as const satisfies ArgumentSpec;

export const globalSettingsOption = {
  kind: "flag",
  summary: "your own settings for all projects, instead of the project's",
} as const satisfies OptionSpec;

export function readSettingKey(word: string): SettingKey {
  if (isSettingKey(word)) return word;
  throw unknownSetting(word, "ralph config");
}
