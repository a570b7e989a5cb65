import { durationRule, parseDuration } from "../../domain/duration.js";
import { maxOwnPatterns, problemOfPattern } from "../../text/secrets/own-rules.js";

// Each parses a value from YAML or an environment variable, and throws a TypeError whose message follows the key.

export function readBoolean(raw: unknown): boolean {
  if (typeof raw === "boolean") return raw;
  if (raw === "true" || raw === "1") return true;
  if (raw === "false" || raw === "0") return false;
  throw new TypeError("must be true or false");
}

/** Variables of the environment are texts. */
function asNumber(raw: unknown): unknown {
  return typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
}

export function readWholeNumber(raw: unknown): number {
  const value = asNumber(raw);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError("must be a whole number, 0 or more");
}

export function readAmount(raw: unknown): number {
  const value = asNumber(raw);
  if (typeof value === "number" && value >= 0 && value <= 3600) return value;
  throw new TypeError("must be a number from 0 to 3600");
}

export function readCount(raw: unknown): number {
  const count = readWholeNumber(raw);
  if (count >= 1) return count;
  throw new TypeError("must be a whole number, 1 or more");
}

export function readDuration(raw: unknown): string {
  if (typeof raw !== "string" && typeof raw !== "number") throw new TypeError(durationRule);
  parseDuration(raw);
  return String(raw).trim();
}

export function readWord(raw: unknown): string {
  if (typeof raw === "string") return raw.trim();
  throw new TypeError("must be text");
}

/** Each item is a command line, which may contain commas. */
export function readCommands(raw: unknown): string[] {
  const list = Array.isArray(raw) ? raw : [raw];
  if (list.some((item) => typeof item !== "string")) throw new TypeError("must be a list of commands");
  return list.map((item: string) => item.trim()).filter((item) => item !== "");
}

export function readSeconds(raw: unknown): number {
  const seconds = readWholeNumber(raw);
  if (seconds >= 1 && seconds <= 3600) return seconds;
  throw new TypeError("must be a whole number from 1 to 3600");
}

export function readShare(raw: unknown): number {
  const value = asNumber(raw);
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw new TypeError("must be a number from 0 to 1");
}

export function readBatch(raw: unknown): number {
  const size = readWholeNumber(raw);
  if (size >= 1 && size <= 2048) return size;
  throw new TypeError("must be a whole number from 1 to 2048");
}

export function readWeight(raw: unknown): number | "auto" {
  return raw === "auto" ? raw : readShare(raw);
}

export function readText(raw: unknown): string {
  if (typeof raw === "string" && raw.trim() !== "") return raw.trim();
  throw new TypeError("must be text");
}

/** The name of an environment variable. The value is not repeated: somebody may have given the key that belongs into one. */
export function readVariable(raw: unknown): string {
  const name = readText(raw);
  const isName = /^[A-Za-z_]\w*$/.test(name);
  if (looksLikeKey(name, isName))
    throw new TypeError("must be the name of an environment variable, and this looks like a key", {
      cause: "put the key into a variable such as OPENAI_API_KEY, and give the variable's name",
    });
  if (!isName)
    throw new TypeError("must be the name of an environment variable", { cause: "such as OPENAI_API_KEY" });
  return name;
}

const keyStart = /^(?:sk|pk|rk)-/;
/** Words of a name are parted by underscores; those of a key are long, and have digits. */
const longWithDigit = /(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{16}/;

function looksLikeKey(text: string, isName: boolean): boolean {
  return longWithDigit.test(text) || (!isName && (keyStart.test(text) || /^\S{24,}$/.test(text)));
}

/** Regular expressions, as a list or one alone: they may contain commas. */
export function readPatterns(raw: unknown): string[] {
  const list = Array.isArray(raw) ? raw : [raw];
  if (list.length > maxOwnPatterns) throw new TypeError(`must have at most ${maxOwnPatterns} patterns`);
  return list.map((pattern) => {
    if (typeof pattern !== "string" || pattern === "")
      throw new TypeError("must be a list of regular expressions");
    const problem = problemOfPattern(pattern);
    if (problem !== undefined) throw new TypeError(`has an unusable pattern: ${pattern} ${problem}`);
    return pattern;
  });
}

export function readOneOf<const Word extends string>(words: readonly Word[]): (raw: unknown) => Word {
  return (raw) => {
    const word = words.find((candidate) => candidate === raw);
    if (word === undefined) throw new TypeError(`must be one of ${words.join(", ")}`);
    return word;
  };
}

export function readList(raw: unknown): string[] {
  const list = typeof raw === "string" ? raw.split(",").map((item) => item.trim()) : raw;
  if (!Array.isArray(list) || list.some((item) => typeof item !== "string" && typeof item !== "number")) {
    throw new TypeError("must be a list of words");
  }
  return list.map(String).filter((item) => item !== "");
}

export function readListOf<const Word extends string>(words: readonly Word[]): (raw: unknown) => Word[] {
  return (raw) => readList(raw).map(readOneOf(words));
}
