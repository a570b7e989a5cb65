import type { Dialect } from "../dialect.js";

/** The driver fills `:project` with the project's key. */
export const postgresDialect: Pick<Dialect, "project" | "hasRowChecks"> = {
  project: {
    column: "project, ",
    value: ":project, ",
    owns: (table) => `${table}.project = :project`,
  },
  hasRowChecks: false,
};
