import { redactAddresses } from "./addresses.js";
import { redactAssignments } from "./assignments.js";
import { redactCommands } from "./commands.js";
import { redactEncoded } from "./encoded.js";
import { redactHeaders } from "./headers.js";
import { redactKeys } from "./key-material.js";
import type { Mark, Redaction, SecretKind } from "./mark.js";
import { redactProse } from "./prose.js";
import { redactTokens } from "./token-formats.js";

/** A redacted text and the kinds of secret that were found in it. */
export interface Redacted {
  text: string;
  found: SecretKind[];
}

// What is known by its form comes first; a name or a sentence before it would also match.
const redactions: Redaction[] = [
  redactKeys,
  redactTokens,
  redactAddresses,
  redactHeaders,
  redactCommands,
  redactAssignments,
  redactProse,
];

const maxPasses = 12;
const maxLayers = 2;

/** Replaces API keys, tokens, private keys, passwords and other credentials by `[redacted:<kind>]`. */
export function redact(text: string): Redacted {
  const found = new Set<SecretKind>();
  const mark: Mark = (kind) => {
    found.add(kind);
    return `[redacted:${kind}]`;
  };
  return { text: redactLayer(text, mark, 0), found: [...found] };
}

function redactLayer(text: string, mark: Mark, layer: number): string {
  if (text.length < 4) return text;
  let before = text;
  let after = redactOnce(before, mark, layer);
  // Text right before a secret may have hidden its start, so repeat; the limit stops text crafted to need ever more passes.
  for (let pass = 0; pass < maxPasses && after !== before; pass += 1) {
    before = after;
    after = redactOnce(before, mark, layer);
  }
  return after;
}

function redactOnce(text: string, mark: Mark, layer: number): string {
  let safe = text;
  for (const each of redactions) safe = each(safe, mark);
  return layer < maxLayers ? redactEncoded(safe, mark, (decoded) => holdsSecret(decoded, layer + 1)) : safe;
}

function holdsSecret(text: string, layer: number): boolean {
  let isFound = false;
  redactLayer(
    text,
    (kind) => {
      isFound = true;
      return `[redacted:${kind}]`;
    },
    layer,
  );
  return isFound;
}

/** Whether a text contains a redaction. */
export function isRedacted(text: string): boolean {
  return text.includes("[redacted:");
}

/** Redacts every string inside a value, and replaces NUL, at which a database would cut a text. */
export function redactDeep<Value>(value: Value): Value {
  if (typeof value === "string")
    return redact(value.replaceAll("\0", "\u{fffd}").toWellFormed()).text as Value;
  if (Array.isArray(value)) return value.map(redactDeep) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [redact(name).text, redactDeep(field)]),
  ) as Value;
}
