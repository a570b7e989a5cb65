import { defaultSettings, type Settings } from "../default-settings.js";

const blocks = ["reflector", "embedder"] as const;

/** Stands where the origin of a setting is told. */
const withheld = "withheld: the address comes from the project's file";

/**
 * Keys go only where the user sends them. An address in a project's file may be anybody's who wrote to the repository: it gets
 * no key, unless it is on this machine.
 */
export function withholdKeys(
  settings: Settings,
  origins: Readonly<Record<string, string>>,
  projectFile: string | undefined,
): { settings: Settings; origins: Record<string, string> } {
  const kept = { settings: { ...settings }, origins: { ...origins } };
  for (const block of blocks) {
    const isForeign = projectFile !== undefined && origins[`${block}.address`] === projectFile;
    const address = settings[`${block}.address`];
    if (!isForeign || address === defaultSettings[`${block}.address`] || isLoopback(address)) continue;
    kept.settings[`${block}.key_variable`] = "";
    kept.origins[`${block}.key_variable`] = withheld;
  }
  return kept;
}

function isLoopback(address: string): boolean {
  try {
    return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
  } catch {
    return false;
  }
}
