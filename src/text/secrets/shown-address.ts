import { redactDeep } from "./redact.js";

const passwordParameters = ["password", "sslpassword"];

/** An address as it may be printed: without its password, and otherwise as it was written. */
export function shownAddress(address: string): string {
  if (!address.includes("://")) return address;
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return hiddenUpToHost(address);
  }
  const parameters = passwordParameters.filter((name) => url.searchParams.has(name));
  if (url.password === "" && parameters.length === 0) return address;
  if (url.password !== "") url.password = "***";
  for (const name of parameters) url.searchParams.set(name, "***");
  return url.href;
}

/** Of what is no valid address, nobody can tell where in it a password is. */
export function hiddenUpToHost(address: string): string {
  const [scheme = ""] = address.split("//", 1);
  const host = address.includes("@") ? address.slice(address.lastIndexOf("@")) : "";
  return `${scheme}//***${host}`;
}

/** Settings as they may be printed: no secret, and no password of an address. */
export function shownSettings<Settings extends object>(settings: Settings): Settings {
  const shown = Object.entries(settings).map(([key, value]) => [
    key,
    typeof value === "string" ? shownAddress(value) : value,
  ]);
  return redactDeep(Object.fromEntries(shown) as Settings);
}
