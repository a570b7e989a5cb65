import type { Link } from "../../../domain/knowledge/link.js";
import type { Dialect } from "../../dialect.js";
import type { Sql } from "../../sql.js";
import { tableOf } from "../table.js";

export interface StoredLink extends Link {
  created: string;
}

const columns = 'from_id AS "from", to_id AS "to", relation, created';
const key = ["from_id", "to_id", "relation"];

export type Links = ReturnType<typeof links>;

export function links(sql: Sql, dialect: Dialect) {
  const table = tableOf(sql, dialect, "links");
  const valuesOf = ({ from, to, relation, created }: StoredLink) => {
    return { from_id: from, to_id: to, relation, created };
  };
  return {
    /** False if it already exists. */
    add: (link: StoredLink) => table.insertedMissing(key, valuesOf(link)),

    /** The same where nobody asks whether it existed. */
    ensure: (link: StoredLink) => table.insertMissing(key, valuesOf(link)),

    async remove({ from, to, relation }: Link): Promise<boolean> {
      const condition = "AND from_id = ? AND to_id = ? AND relation = ?";
      return (await table.removeCounting(condition, from, to, relation)) > 0;
    },

    /** Links from or to a record. */
    listForRecord: (id: string) =>
      table.list<StoredLink>(columns, "AND (from_id = ? OR to_id = ?) ORDER BY created", id, id),

    /** Links from any of these records. */
    listFrom: (ids: readonly string[]) =>
      table.listIn<StoredLink>(columns, "from_id", ids, "ORDER BY created"),

    listAll: () => table.list<StoredLink>(columns, "ORDER BY created, from_id, to_id"),

    /** Ids of all records that something links to. */
    async listTargets(): Promise<Set<string>> {
      const rows = await table.all<{ id: string }>("DISTINCT to_id AS id");
      return new Set(rows.map(({ id }) => id));
    },
  };
}
