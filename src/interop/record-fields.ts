import { RalphError } from "../domain/ralph-error.js";
import { redactDeep } from "../text/secrets/redact.js";

/** Reads the fields of a record written by another program; errors name the field and its place. */
export class RecordFields {
  readonly #record: Record<string, unknown>;
  readonly #place: string;
  readonly #asked = new Set<string>();
  readonly #parts = new Map<string, RecordFields[]>();

  constructor(value: unknown, place: string) {
    if (!isObject(value)) throw unusable(place, "is not a JSON object");
    this.#record = value;
    this.#place = place;
  }

  /** Fields that repeat what is known otherwise, and need not be read. */
  ignore(...names: string[]): this {
    for (const name of names) this.#asked.add(name);
    return this;
  }

  /** The fields that were not asked for, those of the records in it too. */
  unread(): string[] {
    const own = Object.keys(this.#record).filter((name) => !this.#asked.has(name));
    const inside = [...this.#parts].flatMap(([name, parts]) =>
      parts.flatMap((part) => part.unread().map((field) => `${name}.${field}`)),
    );
    return [...new Set([...own, ...inside])];
  }

  text(name: string): string {
    const text = this.#required(name, this.findText(name));
    if (text.trim() === "") throw unusable(this.#place, `has an empty "${name}"`);
    return text;
  }

  findText(name: string): string | undefined {
    const value = this.#find(name, "a string", (raw) => typeof raw === "string");
    return value === undefined ? undefined : redactDeep(value as string);
  }

  time(name: string): string {
    return this.#required(name, this.findTime(name));
  }

  /** In any of the forms that tools write: ISO 8601, a date, or seconds or milliseconds since 1970. */
  findTime(name: string): string | undefined {
    const raw = this.#find(name, "a timestamp", (value) => timeFrom(value) !== undefined);
    return timeFrom(raw);
  }

  count(name: string): number {
    return this.#required(name, this.findCount(name));
  }

  findCount(name: string): number | undefined {
    return this.#find(name, "a whole number, 0 or more", (raw) => {
      return typeof raw === "number" && Number.isSafeInteger(raw) && raw >= 0;
    }) as number | undefined;
  }

  findNumber(name: string, { most }: { most?: number } = {}): number | undefined {
    const what = most === undefined ? "a number" : `a number from 0 to ${most}`;
    return this.#find(name, what, (raw) => {
      if (typeof raw !== "number" || !Number.isFinite(raw)) return false;
      return most === undefined || (raw >= 0 && raw <= most);
    }) as number | undefined;
  }

  findBoolean(name: string): boolean | undefined {
    return this.#find(name, "true or false", (raw) => typeof raw === "boolean") as boolean | undefined;
  }

  oneOf<const Word extends string>(name: string, words: readonly Word[]): Word {
    return this.#required(name, this.findOneOf(name, words));
  }

  findOneOf<const Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    return this.#find(name, `one of ${words.join(", ")}`, (raw) => words.some((word) => word === raw)) as
      | Word
      | undefined;
  }

  texts(name: string): string[] {
    const list = this.#find(name, "a list of strings", (raw) => {
      return Array.isArray(raw) && raw.every((item) => typeof item === "string");
    }) as string[] | undefined;
    return redactDeep(list ?? []);
  }

  /** A list of anything, redacted; empty if there is none. */
  findList(name: string): unknown[] {
    return redactDeep((this.#find(name, "a list", Array.isArray) as unknown[] | undefined) ?? []);
  }

  records(name: string): RecordFields[] {
    const list = (this.#find(name, "a list", Array.isArray) as unknown[] | undefined) ?? [];
    return this.#keepParts(name, () =>
      list.map((item, index) => new RecordFields(item, `${this.#place}, ${name} ${index + 1}`)),
    );
  }

  findRecord(name: string): RecordFields | undefined {
    const value = this.#find(name, "a JSON object", isObject);
    if (value === undefined) return undefined;
    return this.#keepParts(name, () => [new RecordFields(value, `${this.#place}, ${name}`)])[0];
  }

  /** An object with any fields, redacted. */
  findObject(name: string): Record<string, unknown> | undefined {
    const value = this.#find(name, "a JSON object", isObject);
    return value === undefined ? undefined : redactDeep(value as Record<string, unknown>);
  }

  #keepParts(name: string, read: () => RecordFields[]): RecordFields[] {
    const known = this.#parts.get(name) ?? read();
    this.#parts.set(name, known);
    return known;
  }

  #find(name: string, what: string, isValid: (raw: unknown) => boolean): unknown {
    this.#asked.add(name);
    const value = this.#record[name];
    if (value === undefined || value === null) return undefined;
    if (!isValid(value)) throw this.#invalid(name, what);
    return value;
  }

  #required<Value>(name: string, value: Value | undefined): Value {
    if (value === undefined) throw unusable(this.#place, `has no "${name}"`);
    return value;
  }

  #invalid(name: string, what: string): RalphError {
    return unusable(this.#place, `is invalid: "${name}" is not ${what}`);
  }
}

const earliestInMs = 100_000_000_000;

function timeFrom(value: unknown): string | undefined {
  const time =
    typeof value === "number" ? new Date(value < earliestInMs ? value * 1000 : value) : timeOfText(value);
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Without an offset it is UTC: what was written on one machine must not depend on where it is read. */
function timeOfText(value: unknown): Date | undefined {
  if (typeof value !== "string") return undefined;
  const isLocal = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(value.trim());
  return new Date(isLocal ? `${value.trim().replace(" ", "T")}Z` : value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function unusable(place: string, what: string): RalphError {
  return new RalphError("file-unusable", `${place} ${what}`, {
    hint: "fix it and import again; nothing was imported",
  });
}
