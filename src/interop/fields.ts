import { RalphError } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
import { counted } from "../text/counted.js";
import { redactDeep } from "../text/secrets/redact.js";

/**
 * Reads the fields of a record written by another program; errors name the field and its place. Several names are alternatives: the first
 * one that is set counts.
 */
export class RecordFields {
  readonly #record: Record<string, unknown>;
  readonly #place: string;
  readonly #read = new Set<string>();
  readonly #parts = new Map<string, RecordFields[]>();

  constructor(value: unknown, place: string) {
    if (!isObject(value)) throw unusable(place, "is not a JSON object");
    this.#record = value;
    this.#place = place;
  }

  /** Marks fields that duplicate others. */
  ignore(...names: string[]): this {
    for (const name of names) this.#read.add(name);
    return this;
  }

  /** The fields that were not read, including those of nested records. */
  unread(): string[] {
    const own = Object.keys(this.#record).filter((name) => !this.#read.has(name));
    const nested = [...this.#parts].flatMap(([name, parts]) =>
      parts.flatMap((part) => part.unread().map((field) => `${name}.${field}`)),
    );
    return [...new Set([...own, ...nested])];
  }

  text(...names: [string, ...string[]]): string {
    const text = this.#required(names[0], this.findText(...names));
    if (text.trim() === "") throw unusable(this.#place, `has an empty "${names[0]}"`);
    return text;
  }

  findText(...names: string[]): string | undefined {
    return redactDeep(this.#find(names, "a string", (raw) => typeof raw === "string"));
  }

  /** The first text that is not blank. */
  findWords(...names: string[]): string | undefined {
    return names.map((name) => this.findText(name)).find((text = "") => text.trim() !== "");
  }

  time(...names: [string, ...string[]]): string {
    return this.#required(names[0], this.findTime(...names));
  }

  /** In any format that tools write: ISO 8601, a date, or seconds or milliseconds since 1970. */
  findTime(...names: string[]): string | undefined {
    return timeFrom(this.#find(names, "a timestamp", (raw) => timeFrom(raw) !== undefined));
  }

  count(name: string): number {
    return this.#required(name, this.findCount(name));
  }

  findCount(...names: string[]): number | undefined {
    const isCount = (raw: unknown) => typeof raw === "number" && Number.isSafeInteger(raw) && raw >= 0;
    return this.#find(names, "a whole number, 0 or more", isCount);
  }

  findNumber(name: string, { most }: { most?: number } = {}): number | undefined {
    return this.#find([name], most === undefined ? "a number" : `a number from 0 to ${most}`, (raw) => {
      if (typeof raw !== "number" || !Number.isFinite(raw)) return false;
      return most === undefined || (raw >= 0 && raw <= most);
    });
  }

  findBoolean(name: string): boolean | undefined {
    return this.#find([name], "true or false", (raw) => typeof raw === "boolean");
  }

  oneOf<const Word extends string>(name: string, words: readonly Word[]): Word {
    return this.#required(name, this.findOneOf(name, words));
  }

  findOneOf<const Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    return this.#find([name], `one of ${words.join(", ")}`, (raw) => words.some((word) => word === raw));
  }

  texts(...names: string[]): string[] {
    const isTexts = (raw: unknown) => Array.isArray(raw) && raw.every((item) => typeof item === "string");
    return redactDeep(this.#find<string[]>(names, "a list of strings", isTexts) ?? []);
  }

  /** A list of anything, redacted. */
  list(name: string): unknown[] {
    return redactDeep(this.#find<unknown[]>([name], "a list", Array.isArray) ?? []);
  }

  records(name: string): RecordFields[] {
    const list = this.#find<unknown[]>([name], "a list", Array.isArray) ?? [];
    return this.#part(name, () =>
      list.map((item, index) => new RecordFields(item, `${this.#place}, ${name} ${index + 1}`)),
    );
  }

  findRecord(name: string): RecordFields | undefined {
    const value = this.#find([name], "a JSON object", isObject);
    if (value === undefined) return undefined;
    return this.#part(name, () => [new RecordFields(value, `${this.#place}, ${name}`)])[0];
  }

  /** An object with any fields, redacted. */
  findObject(name: string): Record<string, unknown> | undefined {
    return redactDeep(this.#find([name], "a JSON object", isObject));
  }

  /** Reads fields by a table of their kinds; leaves out those that are not set. */
  pick<const Kinds extends Record<string, keyof FieldKinds>>(
    kinds: Kinds,
  ): { [Name in keyof Kinds]?: FieldKinds[Kinds[Name]] } {
    const values = Object.entries(kinds).map(([name, kind]) => [name, findByKind[kind](this, name)]);
    return defined(Object.fromEntries(values)) as never;
  }

  #part(name: string, read: () => RecordFields[]): RecordFields[] {
    const known = this.#parts.get(name) ?? read();
    this.#parts.set(name, known);
    return known;
  }

  #find<Value>(
    names: readonly string[],
    what: string,
    isValid: (raw: unknown) => boolean,
  ): Value | undefined {
    for (const name of names) {
      this.#read.add(name);
      const value = this.#record[name];
      if (value === undefined || value === null) continue;
      if (!isValid(value)) throw unusable(this.#place, `is invalid: "${name}" is not ${what}`);
      return value as Value;
    }
    return undefined;
  }

  #required<Value>(name: string, value: Value | undefined): Value {
    if (value === undefined) throw unusable(this.#place, `has no "${name}"`);
    return value;
  }
}

interface FieldKinds {
  text: string;
  time: string;
  count: number;
  number: number;
  /** From 0 to 1. */
  share: number;
  percent: number;
  boolean: boolean;
}

const findByKind: {
  [Kind in keyof FieldKinds]: (fields: RecordFields, name: string) => FieldKinds[Kind] | undefined;
} = {
  text: (fields, name) => fields.findText(name),
  time: (fields, name) => fields.findTime(name),
  count: (fields, name) => fields.findCount(name),
  number: (fields, name) => fields.findNumber(name),
  share: (fields, name) => fields.findNumber(name, { most: 1 }),
  percent: (fields, name) => fields.findNumber(name, { most: 100 }),
  boolean: (fields, name) => fields.findBoolean(name),
};

const earliestInMs = 100_000_000_000;

function timeFrom(value: unknown): string | undefined {
  const time =
    typeof value === "number" ? new Date(value < earliestInMs ? value * 1000 : value) : timeOfText(value);
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Without an offset it is read as UTC, so that the result does not depend on the machine. */
function timeOfText(value: unknown): Date | undefined {
  if (typeof value !== "string") return undefined;
  const isLocal = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(value.trim());
  return new Date(isLocal ? `${value.trim().replace(" ", "T")}Z` : value);
}

export function unusable(place: string, what: string): RalphError {
  return new RalphError("file-unusable", `${place} ${what}`, {
    hint: "fix it and import again; nothing was imported",
  });
}

/** Collects what an import leaves out, for the report. Paths are relative to the imported folder. */
export class SkippedParts {
  readonly #parts = new Map<string, number>();

  add(path: string, what: string): void {
    const part = `${path}: ${what}`;
    this.#parts.set(part, (this.#parts.get(part) ?? 0) + 1);
  }

  /** The fields of a record that were not read. */
  addUnread(path: string, fields: RecordFields): void {
    for (const name of fields.unread()) this.add(path, `field "${name}"`);
  }

  /** One line for each kind of part in each file. */
  list(): string[] {
    return [...this.#parts].map(([part, records]) =>
      records === 1 ? part : `${part} of ${counted(records, "record")}`,
    );
  }
}

/** Drops undefined fields. */
export function defined<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
