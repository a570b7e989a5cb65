import type { Dialect } from "../dialect.js";

/** The driver fills `:project` with the project's key. */
export const postgresDialect: Pick<Dialect, "project" | "rowLock" | "hasRowChecks"> = {
  project: {
    column: "project, ",
    value: ":project, ",
    owns: (table) => `${table}.project = :project`,
  },
  rowLock: "FOR UPDATE",
  hasRowChecks: false,
};
