import type { Settings } from "./default-settings.js";
import type { SettingKey } from "./loading/schema.js";

export interface LoadedSettings {
  settings: Settings;
  /** Where each value came from: `default`, a file, or an environment variable. */
  origins: Record<SettingKey, string>;
  /** Blocks of other tools in the settings files. */
  otherBlocks: { path: string; block: string }[];
}
