import type { Sql } from "../../sql.js";
import { localTables, tableOf } from "../table.js";

export type SettingsCache = ReturnType<typeof settingsCache>;

/** Parsed settings files, so that YAML is parsed only after a change. */
export function settingsCache(sql: Sql) {
  const table = tableOf(sql, localTables, "settings_cache");
  return {
    async find(path: string, stamp: string): Promise<string | undefined> {
      const row = await table.get<{ content: string }>("content", "AND path = ? AND stamp = ?", path, stamp);
      return row?.content;
    },

    save: (path: string, stamp: string, content: string) => table.save(["path"], { path, stamp, content }),
  };
}

/** Something that waits on this machine until a team's server can be reached. */
export interface Waiting {
  number: number;
  /** By which the server knows that it was delivered. */
  token: string;
  /** When it was kept. */
  kept: string;
  /** What is to be done, as JSON. */
  entry: string;
}

export type Outbox = ReturnType<typeof outbox>;

export function outbox(sql: Sql) {
  const table = tableOf(sql, localTables, "outbox");
  const columns = "number, token, kept, entry";
  return {
    keep: ({ token, kept, entry }: Omit<Waiting, "number">) => table.insert({ token, kept, entry }),

    count: () => table.count(),

    /** Oldest first. */
    list: () => table.all<Waiting>(columns, "ORDER BY number"),

    /** The oldest; undefined if nothing waits. */
    first: () => table.get<Waiting>(columns, "ORDER BY number LIMIT 1"),

    remove: (number: number) => table.remove("AND number = ?", number),
  };
}
