import type { TrustRequest } from "../trust/request.js";
import type { Settings } from "./default-settings.js";
import type { SettingKey } from "./loading/schema.js";

export interface LoadedSettings {
  settings: Settings;
  /** Where each value came from: `default`, a file, or an environment variable. */
  origins: Record<SettingKey, string>;
  /** Blocks of other tools in the settings files. */
  otherBlocks: { path: string; block: string }[];
  /** What the project's file asks for that needs the user's consent. */
  requested: TrustRequest[];
  /** What of it was left out, because the user has not allowed it. */
  leftOut: TrustRequest[];
  /** Settings of the project's file that no consent makes valid. */
  refused: SettingKey[];
}
