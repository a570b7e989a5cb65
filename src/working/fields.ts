import { RalphError } from "../domain/ralph-error.js";
import { redact } from "../text/secrets/redact.js";
import { unique } from "../text/unique.js";

const maxTextBytes = 16 * 1024;
const maxAgentLength = 200;

/** An agent name: one line of text, with secrets redacted. */
export function checkAgent(name: unknown): string {
  const agent = typeof name === "string" ? redact(name.trim()).text : "";
  if (agent !== "" && agent.length <= maxAgentLength && !/\p{Cc}/u.test(agent)) return agent;
  throw new RalphError("wrong-use", `Invalid agent name: ${JSON.stringify(name ?? "")}`, {
    hint: "one line of text, such as eng-001-backend",
  });
}

/** A trimmed text, with secrets redacted. */
export function checkText(name: string, text: unknown): string {
  if (typeof text !== "string") throw new RalphError("wrong-use", `${name} must be a string`);
  if (Buffer.byteLength(text) > maxTextBytes)
    throw new RalphError("wrong-use", `${name} must have at most ${maxTextBytes} bytes`);
  return redact(text.trim()).text;
}

export function checkOptionalText(name: string, text: unknown): string | undefined {
  return text === undefined || text === null ? undefined : checkText(name, text) || undefined;
}

/** A list of texts without blanks and duplicates. */
export function checkTexts(name: string, texts: unknown): string[] {
  if (texts === undefined || texts === null) return [];
  if (!Array.isArray(texts)) throw new RalphError("wrong-use", `${name} must be a list of strings`);
  return unique(texts.map((text) => checkText(name, text)).filter((text) => text !== ""));
}

/** An ISO 8601 timestamp. */
export function checkTime(name: string, time: unknown): string {
  if (typeof time === "string" && !Number.isNaN(Date.parse(time))) return time;
  throw new RalphError("wrong-use", `${name} must be a timestamp such as 2026-01-06T10:00:00Z`);
}

export function checkFields(name: string, raw: unknown): Record<string, unknown> {
  if (typeof raw === "object" && raw !== null && !Array.isArray(raw)) return raw as Record<string, unknown>;
  throw new RalphError("wrong-use", `${name} must be an object`);
}
