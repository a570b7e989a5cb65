import type { SessionBuilder } from "./build-session.js";
import type { Transcript } from "./session.js";

export type Row = Record<string, unknown>;

/** What the first rows of a transcript reveal about its session. */
export type Recognised = Pick<Transcript, "agent" | "id" | "cwd" | "parent" | "started">;

/** How an agent writes a session as JSON lines. */
export interface RowFormat {
  /** What a row reveals about its session; undefined if it is not this agent's. */
  recognise(row: Row, path: string): Partial<Recognised> | undefined;
  /** The folder of a session whose rows do not name it. */
  findFolder?(path: string): string;
  /** Reads the rows of a session in order. */
  open(build: SessionBuilder, isSubagent: boolean): { read(row: Row): void; finish?(): void };
}
