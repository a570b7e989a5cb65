import { type Handoff, handoffIdOf, type Ledger } from "../../domain/working.js";
import type { Dialect } from "../dialect.js";
import type { Sql, SqlValue } from "../sql.js";
import { tableOf } from "./table.js";

export type Ledgers = ReturnType<typeof ledgers>;

export function ledgers(sql: Sql, dialect: Dialect) {
  const table = tableOf(sql, dialect, "ledgers", { json: ["record"] });
  type Row = { record: Ledger };
  return {
    /** Replaces the agent's previous ledger. */
    save: (ledger: Ledger) =>
      table.save(["agent_id"], {
        agent_id: ledger.agent_id,
        last_checkpoint: ledger.last_checkpoint,
        record: ledger,
      }),

    async find(agent: string): Promise<Ledger | undefined> {
      return (await table.find<Row>("record", "AND agent_id = ?", agent))?.record;
    },

    /** Newest first. */
    async list(): Promise<Ledger[]> {
      const rows = await table.list<Row>("record", "ORDER BY last_checkpoint DESC, agent_id");
      return rows.map(({ record }) => record);
    },
  };
}

export interface HandoffFilter {
  /** Only handoffs for this agent. */
  to?: string | undefined;
  /** Only handoffs that nobody has accepted. */
  isPending?: boolean | undefined;
}

/** A handoff without a number. */
export type NewHandoff = Omit<Handoff, "id">;

export type Handoffs = ReturnType<typeof handoffs>;

export function handoffs(sql: Sql, dialect: Dialect) {
  const table = tableOf(sql, dialect, "handoffs", { json: ["record"] });
  const columns = "number, record, accepted_at, accepted_by, delivered_at, taken_by";
  type Row = { number: number; record: NewHandoff };
  const select = async (rest: string, ...values: SqlValue[]): Promise<Handoff[]> => {
    const rows = await table.list<Row>(columns, rest, ...values);
    return rows.map(({ number, record, ...progress }) => ({
      ...record,
      id: handoffIdOf(number),
      ...progress,
    }));
  };

  return {
    /** Assigns the next number unless one is given. */
    async add(handoff: NewHandoff, givenNumber?: number): Promise<Handoff> {
      const number = givenNumber ?? (await table.highest("number")) + 1;
      const { accepted_at, accepted_by, delivered_at, taken_by, ...record } = handoff;
      await table.insert({
        ...{ number, to_agent: handoff.to_agent, record },
        ...{ accepted_at, accepted_by, delivered_at, taken_by },
      });
      return { ...handoff, id: handoffIdOf(number) };
    },

    async find(number: number): Promise<Handoff | undefined> {
      return (await select("AND number = ?", number))[0];
    },

    /** Newest first. */
    list({ to, isPending = false }: HandoffFilter): Promise<Handoff[]> {
      const pending = isPending ? "AND accepted_at IS NULL" : "";
      if (to === undefined) return select(`${pending} ORDER BY number DESC`);
      return select(`AND to_agent = ? ${pending} ORDER BY number DESC`, to);
    },

    /** Accepted by an agent but not yet given to one of its attempts, oldest first. */
    listUndelivered: (agent: string) =>
      select(
        "AND accepted_by = ? AND accepted_at IS NOT NULL AND delivered_at IS NULL ORDER BY number",
        agent,
      ),

    accept: (number: number, agent: string, time: string, takenBy: string | undefined) =>
      table.update({ accepted_at: time, accepted_by: agent, taken_by: takenBy }, "AND number = ?", number),

    markDelivered: (number: number, time: string) =>
      table.update({ delivered_at: time }, "AND number = ?", number),
  };
}
