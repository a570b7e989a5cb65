import type { Hash } from "node:crypto";
import { shapeOf } from "./all-tables.js";
import type { TableCounts } from "./read-rows.js";
import type { CanonicalTable, Row } from "./table-shape.js";

export interface RowDigests {
  counts: TableCounts;
  digests: Partial<Record<CanonicalTable, string>>;
}

/**
 * What tables say, whichever numbers a store gives to their rows: a number that only orders and joins rows counts as the place
 * of the row that has it.
 */
export class RowDigest {
  readonly #hashes = new Map<CanonicalTable, Hash>();
  readonly #counts = new Map<CanonicalTable, number>();
  readonly #places = new Map<CanonicalTable, Map<number, number>>();

  add(table: CanonicalTable, row: Row): void {
    const { columns, key, references = {} } = shapeOf(table);
    const count = this.#counts.get(table) ?? 0;
    this.#counts.set(table, count + 1);
    if (key !== undefined && isReferredTo(table)) this.#placesOf(table).set(Number(row[key]), count);
    const values = Object.keys(columns).map((name) => {
      if (name === key) return null;
      const other = references[name];
      const value = row[name] ?? null;
      if (other !== undefined && other !== "tasks" && value !== null)
        return this.#placesOf(other).get(Number(value)) ?? null;
      return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
    });
    const hash = this.#hashes.get(table) ?? process.getBuiltinModule("node:crypto").createHash("sha256");
    this.#hashes.set(table, hash.update(`${JSON.stringify(values)}\n`));
  }

  end(): RowDigests {
    return {
      counts: Object.fromEntries(this.#counts),
      digests: Object.fromEntries([...this.#hashes].map(([table, hash]) => [table, hash.digest("hex")])),
    };
  }

  #placesOf(table: CanonicalTable): Map<number, number> {
    const known = this.#places.get(table) ?? new Map<number, number>();
    this.#places.set(table, known);
    return known;
  }
}

function isReferredTo(table: CanonicalTable): boolean {
  return table === "runs" || table === "attempts" || table === "briefs";
}
