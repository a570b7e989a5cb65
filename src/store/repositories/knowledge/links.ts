import type { Link, LinkRelation } from "../../../domain/knowledge/link.js";
import type { Dialect } from "../../dialect.js";
import { placeholders, type Sql } from "../../sql.js";

export interface StoredLink extends Link {
  created: string;
}

interface Row {
  from_id: string;
  to_id: string;
  relation: LinkRelation;
  created: string;
}

const columns = "from_id, to_id, relation, created";

export type Links = ReturnType<typeof links>;

export function links(sql: Sql, { project }: Dialect) {
  const insert = `INSERT INTO links (${project.column}${columns}) VALUES (${project.value}?, ?, ?, ?) ON CONFLICT (${project.column}from_id, to_id, relation) DO NOTHING`;
  return {
    /** False if it already exists. */
    async add({ from, to, relation, created }: StoredLink): Promise<boolean> {
      return (await sql.run(insert, from, to, relation, created)) > 0;
    },

    /** The same where nobody asks whether it existed. */
    ensure: ({ from, to, relation, created }: StoredLink) => sql.write(insert, from, to, relation, created),

    async remove({ from, to, relation }: Link): Promise<boolean> {
      const removed = await sql.run(
        `DELETE FROM links WHERE ${project.owns("links")} AND from_id = ? AND to_id = ? AND relation = ?`,
        from,
        to,
        relation,
      );
      return removed > 0;
    },

    /** Links from or to a record. */
    async listForRecord(id: string): Promise<StoredLink[]> {
      return (
        await sql.all<Row>(
          `SELECT ${columns} FROM links WHERE ${project.owns("links")} AND (from_id = ? OR to_id = ?) ORDER BY created`,
          id,
          id,
        )
      ).map(toLink);
    },

    /** Links from any of these records. */
    async listFrom(ids: readonly string[]): Promise<StoredLink[]> {
      if (ids.length === 0) return [];
      const rows = await sql.all<Row>(
        `SELECT ${columns} FROM links WHERE ${project.owns("links")} AND from_id IN ${placeholders(ids)} ORDER BY created`,
        ...ids,
      );
      return rows.map(toLink);
    },

    async listAll(): Promise<StoredLink[]> {
      return (
        await sql.all<Row>(
          `SELECT ${columns} FROM links WHERE ${project.owns("links")} ORDER BY created, from_id, to_id`,
        )
      ).map(toLink);
    },

    /** Ids of all records that something links to. */
    async listTargets(): Promise<Set<string>> {
      const rows = await sql.all<{ to_id: string }>(
        `SELECT DISTINCT to_id FROM links WHERE ${project.owns("links")}`,
      );
      return new Set(rows.map(({ to_id: id }) => id));
    },
  };
}

function toLink({ from_id, to_id, relation, created }: Row): StoredLink {
  return { from: from_id, to: to_id, relation, created };
}
