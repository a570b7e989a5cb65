import { defaultSettings, type Settings } from "../default-settings.js";

const blocks = ["reflector", "embedder"] as const;

/** Shown as the origin of the setting. */
const withheld = "withheld: the address comes from the project's file";

/**
 * API keys are sent only to addresses the user chose. Anybody who can write to the repository can set an address in the
 * project's file, so such an address gets no key unless it is on this machine.
 */
export function withholdKeys(
  settings: Settings,
  origins: Readonly<Record<string, string>>,
  projectFile: string | undefined,
): { settings: Settings; origins: Record<string, string> } {
  const safe = { settings: { ...settings }, origins: { ...origins } };
  for (const block of blocks) {
    const isFromProject = projectFile !== undefined && origins[`${block}.address`] === projectFile;
    const address = settings[`${block}.address`];
    if (!isFromProject || address === defaultSettings[`${block}.address`] || isLoopback(address)) continue;
    safe.settings[`${block}.key_variable`] = "";
    safe.origins[`${block}.key_variable`] = withheld;
  }
  return safe;
}

function isLoopback(address: string): boolean {
  try {
    return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
  } catch {
    return false;
  }
}
