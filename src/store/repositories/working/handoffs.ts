import { type Handoff, handoffIdOf } from "../../../domain/working.js";
import type { Dialect } from "../../dialect.js";
import { parseStored } from "../../parse-stored.js";
import type { Sql } from "../../sql.js";
import { withoutNulls } from "../../without-nulls.js";

export interface HandoffFilter {
  /** Only handoffs for this agent. */
  to?: string | undefined;
  /** Only handoffs that nobody has accepted. */
  isPending?: boolean | undefined;
}

/** A handoff without a number. */
export type NewHandoff = Omit<Handoff, "id">;

interface Row {
  number: number;
  record: string;
  accepted_at: string | null;
  accepted_by: string | null;
  delivered_at: string | null;
  taken_by: string | null;
}

const columns = "number, record, accepted_at, accepted_by, delivered_at, taken_by";

export type Handoffs = ReturnType<typeof handoffs>;

export function handoffs(sql: Sql, { project }: Dialect) {
  const select = async (rest: string, ...values: (string | number)[]): Promise<Handoff[]> =>
    (
      await sql.all<Row>(
        `SELECT ${columns} FROM handoffs WHERE ${project.owns("handoffs")} ${rest}`,
        ...values,
      )
    ).map(toHandoff);

  const nextNumber = async () =>
    ((
      await sql.get<{ highest: number | null }>(
        `SELECT max(number) AS highest FROM handoffs WHERE ${project.owns("handoffs")}`,
      )
    )?.highest ?? 0) + 1;

  return {
    /** Assigns the next number unless one is given. */
    async add(handoff: NewHandoff, givenNumber?: number): Promise<Handoff> {
      const number = givenNumber ?? (await nextNumber());
      const {
        accepted_at: acceptedAt,
        accepted_by: acceptedBy,
        delivered_at: deliveredAt,
        taken_by: takenBy,
        ...record
      } = handoff;
      await sql.write(
        `INSERT INTO handoffs (${project.column}to_agent, ${columns}) VALUES (${project.value}?, ?, ?, ?, ?, ?, ?)`,
        handoff.to_agent,
        number,
        JSON.stringify(record),
        acceptedAt ?? null,
        acceptedBy ?? null,
        deliveredAt ?? null,
        takenBy ?? null,
      );
      return { ...handoff, id: handoffIdOf(number) };
    },

    async find(number: number): Promise<Handoff | undefined> {
      return (await select("AND number = ?", number))[0];
    },

    /** Newest first. */
    list({ to, isPending = false }: HandoffFilter): Promise<Handoff[]> {
      const parts = to === undefined ? [] : ["to_agent = ?"];
      if (isPending) parts.push("accepted_at IS NULL");
      return select(
        `${parts.map((part) => `AND ${part}`).join(" ")} ORDER BY number DESC`,
        ...(to === undefined ? [] : [to]),
      );
    },

    /** Accepted by an agent but not yet given to one of its attempts, oldest first. */
    listUndelivered: (agent: string) =>
      select(
        "AND accepted_by = ? AND accepted_at IS NOT NULL AND delivered_at IS NULL ORDER BY number",
        agent,
      ),

    accept: (number: number, agent: string, time: string, takenBy: string | undefined) =>
      sql.write(
        `UPDATE handoffs SET accepted_at = ?, accepted_by = ?, taken_by = ? WHERE ${project.owns("handoffs")} AND number = ?`,
        time,
        agent,
        takenBy ?? null,
        number,
      ),

    markDelivered: (number: number, time: string) =>
      sql.write(
        `UPDATE handoffs SET delivered_at = ? WHERE ${project.owns("handoffs")} AND number = ?`,
        time,
        number,
      ),
  };
}

function toHandoff({ number, record, ...progress }: Row): Handoff {
  return { ...(parseStored(record) as NewHandoff), id: handoffIdOf(number), ...withoutNulls(progress) };
}
