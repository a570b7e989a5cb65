import { redactAddresses } from "./addresses.js";
import { isNamedSecret, redactAssignments } from "./assignments.js";
import { redactBlocks } from "./blocks.js";
import { redactCommands } from "./commands.js";
import { redactEncoded } from "./encoded.js";
import { redactHeaders } from "./headers.js";
import type { Mark, Redaction, SecretKind } from "./mark.js";
import { ownRules, redactOwn } from "./own-rules.js";
import { redactKeys } from "./private-keys.js";
import { redactProse } from "./prose.js";
import { redactTokens } from "./token-formats.js";

/** A redacted text and the kinds of secret that were found in it. */
export interface Redacted {
  text: string;
  found: SecretKind[];
}

// What is known by its form comes first; a name or a sentence before it would also match.
const redactions: readonly Redaction[] = [
  redactOwn,
  redactKeys,
  redactTokens,
  redactAddresses,
  redactHeaders,
  redactCommands,
  redactBlocks,
  redactAssignments,
  redactProse,
];

const maxPart = 256 * 1024;
const maxToken = 16 * 1024;
const maxPasses = 12;
const maxLayers = 2;

/** Each secret is a long word, or stands beside what joins a name and a value, or beside a word such as "password". */
const longWord = /[\w+/=.~-]{16}/;
const joint = /[:=@|<>&"`\\]|\?\S|'(?!(?:s|t|d|m|re|ve|ll)\b)|(?:^|\s)--?\w/;
const telling =
  /pass|pw|secret|token|key|auth|cred|bearer|basic|cookie|sess|jwt|otp|psk|pat|salt|hmac|dsn|sid|sas|conn|mnemonic|seed|identified|community|cryptsetup|securestring|sudo|log|sign|account|kennwort|contrase|senha|mdp|response|putty|openvpn|ed25519|rabbitmqctl|pin\b/i;
/** A short word and a time, of which records have many, are no secrets without more around them. */
const plainValue = /^(?:[\w.-]{0,15}|\d{4}-\d\d-\d\dT[\d:.]{5,12}Z)$/;

function mayHoldSecret(text: string): boolean {
  return (
    !plainValue.test(text) &&
    (ownRules() !== undefined || joint.test(text) || longWord.test(text) || telling.test(text))
  );
}

/** Replaces API keys, tokens, private keys, passwords and other credentials by `[redacted:<kind>]`. */
export function redact(text: string): Redacted {
  if (!mayHoldSecret(text)) return { text, found: [] };
  const found = new Set<SecretKind>();
  const mark = markWith((kind) => found.add(kind));
  const safe = text.length <= maxPart ? redactLayer(text, mark, 0) : redactParts(text, mark);
  return { text: safe, found: [...found] };
}

/** A pattern that matches millions of characters at once would run out of memory, so a long text is read in parts. */
function redactParts(text: string, mark: Mark): string {
  let safe = "";
  for (let start = 0; start < text.length; ) {
    const end = start + maxPart >= text.length ? text.length : endOfPart(text, start);
    safe += redactLayer(text.slice(start, end), mark, 0);
    start = end;
  }
  return safe;
}

/** Where a part ends without splitting a secret: behind a line, a word, or anything that is in no token. */
function endOfPart(text: string, start: number): number {
  const end = start + maxPart;
  const last = text.slice(end - maxToken, end);
  for (const boundary of [/\n[^\n]*$/, /\s\S*$/, /[^\w~.+/=%|:$-][\w~.+/=%|:$-]*$/]) {
    const at = last.search(boundary);
    if (at !== -1) return end - maxToken + at + 1;
  }
  return end;
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
  if (layer >= maxLayers) return safe;
  return redactEncoded(safe, mark, (decoded) => holdsSecret(decoded, layer + 1));
}

function holdsSecret(text: string, layer: number): boolean {
  let isFound = false;
  const mark = markWith(() => {
    isFound = true;
  });
  redactLayer(text, mark, layer);
  return isFound;
}

function markWith(onFound: (kind: SecretKind) => void): Mark {
  return (kind, secret) => {
    if (isException(secret)) return secret;
    onFound(kind);
    return `[redacted:${kind}]`;
  };
}

function isException(secret: string): boolean {
  return ownRules()?.exceptions.some((exception) => exception.test(secret)) ?? false;
}

/** Redacts every string inside a value, and replaces NUL, at which a database would cut a text. */
export function redactDeep<Value>(value: Value): Value {
  return redactDeepInto(value, new Set());
}

/** The same; the kinds of what was found are added to `found`. */
export function redactDeepInto<Value>(value: Value, found: Set<SecretKind>): Value {
  return redactValue(value, "", found) as Value;
}

function redactValue(value: unknown, name: string, found: Set<SecretKind>): unknown {
  if (typeof value === "string") return redactNamed(name, value, found);
  if (Array.isArray(value)) return redactList(value, name, found);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [redactInto(key, found), redactValue(field, key, found)]),
  );
}

function redactInto(text: string, found: Set<SecretKind>): string {
  const safe = redact(text);
  for (const kind of safe.found) found.add(kind);
  return safe.text;
}

/** A field's name tells as much as a name in a text does. */
function redactNamed(name: string, text: string, found: Set<SecretKind>): string {
  const safe = redactInto(text.replaceAll("\0", "\u{fffd}").toWellFormed(), found);
  if (name === "" || !isNamedSecret(name, safe, true)) return safe;
  return markWith((kind) => found.add(kind))("credential", safe);
}

const maxCommandLength = 8 * 1024;

/** The words of a command tell about each other: `["--password", "…"]`. */
function redactList(items: readonly unknown[], name: string, found: Set<SecretKind>): unknown[] {
  const safe = items.map((item) => redactValue(item, name, found));
  const isCommand =
    safe.every((item) => typeof item === "string" && !/\s/.test(item)) &&
    safe.some((item) => String(item).startsWith("-"));
  const line = isCommand ? safe.join(" ") : "";
  if (line === "" || line.length > maxCommandLength) return safe;
  const words = redactInto(line, found).split(" ");
  return words.length === safe.length ? words : safe;
}
