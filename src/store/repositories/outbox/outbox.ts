import type { Sql } from "../../sql.js";

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
  return {
    keep: ({ token, kept, entry }: Omit<Waiting, "number">) =>
      sql.run("INSERT INTO outbox (token, kept, entry) VALUES (?, ?, ?)", token, kept, entry),

    async count(): Promise<number> {
      return (await sql.get<{ count: number }>("SELECT count(*) AS count FROM outbox"))?.count ?? 0;
    },

    /** Oldest first. */
    list: () => sql.all<Waiting>("SELECT number, token, kept, entry FROM outbox ORDER BY number"),

    /** The oldest; undefined if nothing waits. */
    first: () => sql.get<Waiting>("SELECT number, token, kept, entry FROM outbox ORDER BY number LIMIT 1"),

    remove: (number: number) => sql.run("DELETE FROM outbox WHERE number = ?", number),
  };
}
