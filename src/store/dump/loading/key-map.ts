import type { CanonicalTable } from "../table-shape.js";

/** By which numbers this store knows the rows that others refer to. */
export class KeyMap {
  readonly #keys = new Map<CanonicalTable, Map<number, number>>();
  /** Keys of this store whose rows were here before. */
  readonly #known = new Map<CanonicalTable, Set<number>>();
  readonly #taskOfAttempt = new Map<number, number>();

  find(table: CanonicalTable, key: unknown): number | undefined {
    return this.#keys.get(table)?.get(Number(key));
  }

  set(table: CanonicalTable, key: number, own: number): void {
    const keys = this.#keys.get(table) ?? new Map<number, number>();
    this.#keys.set(table, keys.set(key, own));
  }

  setKnown(table: CanonicalTable, key: number, own: number): void {
    this.set(table, key, own);
    const known = this.#known.get(table) ?? new Set<number>();
    this.#known.set(table, known.add(own));
  }

  isKnown(table: CanonicalTable, own: unknown): boolean {
    return this.#known.get(table)?.has(Number(own)) ?? false;
  }

  listKnown(table: CanonicalTable): number[] {
    return [...(this.#known.get(table) ?? [])];
  }

  setTask(attempt: number, task: number): void {
    this.#taskOfAttempt.set(attempt, task);
  }

  /** Only of an attempt that was here before. */
  findTask(attempt: unknown): number | undefined {
    return this.#taskOfAttempt.get(Number(attempt));
  }
}
