import { counted } from "../text/counted.js";
import type { RecordFields } from "./record-fields.js";

/** Collects what an import leaves behind, so that it can be told. Paths are relative to the folder that is imported. */
export class SkippedParts {
  readonly #parts = new Map<string, { path: string; what: string; records: number }>();

  add(path: string, what: string): void {
    const key = `${path}\n${what}`;
    const known = this.#parts.get(key) ?? { path, what, records: 0 };
    this.#parts.set(key, { ...known, records: known.records + 1 });
  }

  /** The fields of a record that nobody asked for. */
  addUnread(path: string, fields: RecordFields): void {
    for (const name of fields.unread()) this.add(path, `field "${name}"`);
  }

  /** One line for each kind of part in each file. */
  list(): string[] {
    return [...this.#parts.values()].map(({ path, what, records }) => {
      const times = records === 1 ? "" : ` of ${counted(records, "record")}`;
      return `${path}: ${what}${times}`;
    });
  }
}
