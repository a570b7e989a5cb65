import type { StagedLearning, StagingStatus } from "../../../domain/knowledge/learning.js";
import type { Dialect } from "../../dialect.js";
import type { Sql } from "../../sql.js";
import { tableOf } from "../table.js";

const columns = `id, learning, status, staged_at AS "stagedAt", validated_at AS "validatedAt",
  rejection_reason AS "rejectionReason", awaits_evidence AS "awaitsEvidence"`;

export type StagedLearnings = ReturnType<typeof stagedLearnings>;

export function stagedLearnings(sql: Sql, dialect: Dialect) {
  const table = tableOf(sql, dialect, "staged_learnings", {
    json: ["learning"],
    booleans: ["awaitsEvidence"],
  });
  const inOrder = "ORDER BY stage_key";
  return {
    add: ({ id, learning, status, stagedAt, validatedAt, rejectionReason, awaitsEvidence }: StagedLearning) =>
      table.insert({
        ...{ id, learning, status, staged_at: stagedAt, validated_at: validatedAt },
        ...{ rejection_reason: rejectionReason, awaits_evidence: awaitsEvidence ? 1 : undefined },
      }),

    save: ({ id, learning, status, validatedAt, rejectionReason }: StagedLearning) =>
      table.update(
        { learning, status, validated_at: validatedAt, rejection_reason: rejectionReason },
        "AND id = ?",
        id,
      ),

    find: (id: string) => table.find<StagedLearning>(columns, "AND id = ?", id),

    list: (status?: StagingStatus) =>
      status === undefined
        ? table.list<StagedLearning>(columns, inOrder)
        : table.list<StagedLearning>(columns, `AND status = ? ${inOrder}`, status),

    /** Those that another task may confirm. */
    listAwaiting: () =>
      table.list<StagedLearning>(columns, `AND awaits_evidence = 1 AND status = 'pending' ${inOrder}`),

    remove: (id: string) => table.remove("AND id = ?", id),

    clear: () => table.remove(),
  };
}
