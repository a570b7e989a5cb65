import type { Ledger } from "../../../domain/working.js";
import type { Dialect } from "../../dialect.js";
import { parseStored } from "../../parse-stored.js";
import type { Sql } from "../../sql.js";

interface Row {
  record: string;
}

export type Ledgers = ReturnType<typeof ledgers>;

export function ledgers(sql: Sql, { project }: Dialect) {
  return {
    /** Replaces the agent's previous ledger. */
    save: (ledger: Ledger) =>
      sql.write(
        `INSERT INTO ledgers (${project.column}agent_id, last_checkpoint, record) VALUES (${project.value}?, ?, ?)
         ON CONFLICT (${project.column}agent_id) DO UPDATE SET last_checkpoint = excluded.last_checkpoint, record = excluded.record`,
        ledger.agent_id,
        ledger.last_checkpoint,
        JSON.stringify(ledger),
      ),

    async find(agent: string): Promise<Ledger | undefined> {
      const row = await sql.get<Row>(
        `SELECT record FROM ledgers WHERE ${project.owns("ledgers")} AND agent_id = ?`,
        agent,
      );
      return row && toLedger(row);
    },

    /** Newest first. */
    async list(): Promise<Ledger[]> {
      const rows = await sql.all<Row>(
        `SELECT record FROM ledgers WHERE ${project.owns("ledgers")} ORDER BY last_checkpoint DESC, agent_id`,
      );
      return rows.map(toLedger);
    },
  };
}

function toLedger({ record }: Row): Ledger {
  return parseStored(record) as Ledger;
}
