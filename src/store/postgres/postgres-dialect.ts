import type { Dialect } from "../dialect.js";

type SharedDialect = Pick<Dialect, "project" | "rowLock" | "hasRowChecks" | "serverTime">;

/** The driver fills `:project` with the project's key. */
export const postgresDialect: SharedDialect = {
  project: {
    column: "project, ",
    value: ":project, ",
    owns: (table) => `${table}.project = :project`,
  },
  rowLock: "FOR UPDATE",
  hasRowChecks: false,
  serverTime: (aheadMs) =>
    `to_char((clock_timestamp() + interval '${aheadMs} milliseconds') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};
