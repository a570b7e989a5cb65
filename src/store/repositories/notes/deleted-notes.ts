import type { Sql } from "../../sql.js";

export type DeletedNotes = ReturnType<typeof deletedNotes>;

/** Notes that were deleted on purpose: a copy in another worktree does not bring them back. */
export function deletedNotes(sql: Sql) {
  return {
    record: (id: string, time: string) =>
      sql.run("INSERT INTO deleted_notes (id, time) VALUES (?, ?) ON CONFLICT (id) DO NOTHING", id, time),

    async has(id: string): Promise<boolean> {
      return (await sql.get<{ id: string }>("SELECT id FROM deleted_notes WHERE id = ?", id)) !== undefined;
    },
  };
}
