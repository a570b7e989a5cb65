import { RalphError } from "../domain/ralph-error.js";
import { redact } from "../text/secrets/redact.js";
import { unique } from "../text/unique.js";

const maxTextBytes = 16 * 1024;
const maxAgentLength = 200;

/** The name of an agent: one line of text. */
export function checkAgent(name: unknown): string {
  const agent = typeof name === "string" ? redact(name.trim()).text : "";
  if (agent !== "" && agent.length <= maxAgentLength && !/\p{Cc}/u.test(agent)) return agent;
  throw new RalphError("wrong-use", `Not the name of an agent: ${JSON.stringify(name ?? "")}`, {
    hint: "one line of text, such as eng-001-backend",
  });
}

/** A text without its secrets. */
export function checkText(name: string, text: unknown): string {
  if (typeof text !== "string") throw new RalphError("wrong-use", `${name} must be a text`);
  if (Buffer.byteLength(text) > maxTextBytes)
    throw new RalphError("wrong-use", `${name} takes at most ${maxTextBytes} bytes`);
  return redact(text.trim()).text;
}

export function checkOptionalText(name: string, text: unknown): string | undefined {
  return text === undefined || text === null ? undefined : checkText(name, text) || undefined;
}

/** Texts without blank ones and repetitions. */
export function checkTexts(name: string, texts: unknown): string[] {
  if (texts === undefined || texts === null) return [];
  if (!Array.isArray(texts)) throw new RalphError("wrong-use", `${name} must be a list of texts`);
  return unique(texts.map((text) => checkText(name, text)).filter((text) => text !== ""));
}

/** A time, as an ISO 8601 text. */
export function checkTime(name: string, time: unknown): string {
  if (typeof time === "string" && !Number.isNaN(Date.parse(time))) return time;
  throw new RalphError("wrong-use", `${name} must be a time such as 2026-01-06T10:00:00Z`);
}

/** The fields of an object, whatever they are. */
export function checkFields(name: string, raw: unknown): Record<string, unknown> {
  if (typeof raw === "object" && raw !== null && !Array.isArray(raw)) return raw as Record<string, unknown>;
  throw new RalphError("wrong-use", `${name} must be an object`);
}
