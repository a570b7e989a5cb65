import type { ExtractedLearning, StagedLearning, StagingStatus } from "../../../domain/knowledge/learning.js";
import type { Dialect } from "../../dialect.js";
import { parseStored } from "../../parse-stored.js";
import type { Sql } from "../../sql.js";

interface Row {
  id: string;
  learning: string;
  status: StagingStatus;
  staged_at: string;
  validated_at: string | null;
  rejection_reason: string | null;
  awaits_evidence: number | null;
}

export type StagedLearnings = ReturnType<typeof stagedLearnings>;

export function stagedLearnings(sql: Sql, { project }: Dialect) {
  const select = async (rest: string, ...values: string[]): Promise<StagedLearning[]> =>
    (
      await sql.all<Row>(
        `SELECT id, learning, status, staged_at, validated_at, rejection_reason, awaits_evidence FROM staged_learnings WHERE ${project.owns("staged_learnings")} ${rest}`,
        ...values,
      )
    ).map(toStaged);

  return {
    add: ({ id, learning, status, stagedAt, validatedAt, rejectionReason, awaitsEvidence }: StagedLearning) =>
      sql.write(
        `INSERT INTO staged_learnings (${project.column}id, learning, status, staged_at, validated_at, rejection_reason, awaits_evidence)
         VALUES (${project.value}?, ?, ?, ?, ?, ?, ?)`,
        id,
        JSON.stringify(learning),
        status,
        stagedAt,
        validatedAt ?? null,
        rejectionReason ?? null,
        awaitsEvidence ? 1 : null,
      ),

    save: ({ id, learning, status, validatedAt, rejectionReason }: StagedLearning) =>
      sql.write(
        `UPDATE staged_learnings SET learning = ?, status = ?, validated_at = ?, rejection_reason = ? WHERE ${project.owns("staged_learnings")} AND id = ?`,
        JSON.stringify(learning),
        status,
        validatedAt ?? null,
        rejectionReason ?? null,
        id,
      ),

    async find(id: string): Promise<StagedLearning | undefined> {
      return (await select("AND id = ?", id))[0];
    },

    list: (status?: StagingStatus) =>
      status === undefined
        ? select("ORDER BY stage_key")
        : select("AND status = ? ORDER BY stage_key", status),

    /** Those that another task may confirm. */
    listAwaiting: () => select("AND awaits_evidence = 1 AND status = 'pending' ORDER BY stage_key"),

    remove: (id: string) =>
      sql.write(`DELETE FROM staged_learnings WHERE ${project.owns("staged_learnings")} AND id = ?`, id),

    clear: () => sql.write(`DELETE FROM staged_learnings WHERE ${project.owns("staged_learnings")}`),
  };
}

function toStaged(row: Row): StagedLearning {
  return {
    id: row.id,
    learning: parseStored(row.learning) as ExtractedLearning,
    status: row.status,
    stagedAt: row.staged_at,
    ...(row.validated_at !== null && { validatedAt: row.validated_at }),
    ...(row.rejection_reason !== null && { rejectionReason: row.rejection_reason }),
    ...(row.awaits_evidence === 1 && { awaitsEvidence: true }),
  };
}
