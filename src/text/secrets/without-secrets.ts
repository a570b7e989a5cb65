import { isPlain } from "./hints.js";
import { ownRules } from "./own-rules.js";
import type { Redacted } from "./redact.js";

/** A text without its secrets; what looks for them is loaded only for a text that may hold one. */
export async function withoutSecrets(text: string): Promise<string> {
  return (await redactLazily(text)).text;
}

/** The same, with the kinds of secret that were found. */
export async function redactLazily(text: string): Promise<Redacted> {
  if (isPlain(text) && ownRules() === undefined) return { text, found: [] };
  return (await import("./redact.js")).redact(text);
}
