import type { Memory } from "../../memory/memory.js";

/** What a route is asked with. */
export interface Asked {
  memory: Memory;
  /** The parts of the path that the pattern names, in order. */
  parts: readonly string[];
  query: URLSearchParams;
  /** Of a POST: a JSON object. */
  body: Readonly<Record<string, unknown>>;
  page: PageContext;
}

/** What routes need besides the memory. */
export interface PageContext {
  version: string;
  now(): Date;
  /** A memory with the settings as they are now; the caller closes it. */
  openAnew(): Promise<Memory>;
  /** Goes on with a run, in a process of its own. */
  resume(taskId: string): Promise<void>;
}

/** Returns what is sent as JSON. */
export type Route = (asked: Asked) => Promise<unknown>;

/** Keys are `GET /api/tasks/:id`. A GET changes nothing, and answers a HEAD, too. */
export type Routes = Readonly<Record<string, Route>>;

/** A value that is sent as it is stored: for a text that is edited. */
export class Raw<Value> {
  readonly value: Value;
  constructor(value: Value) {
    this.value = value;
  }
}
