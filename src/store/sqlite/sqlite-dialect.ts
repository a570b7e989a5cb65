import type { Dialect } from "../dialect.js";
import { createFts5Index } from "./lexical/lexical-fts5.js";

export const sqliteDialect: Dialect = {
  project: { column: "", value: "", owns: () => "TRUE" },
  rowLock: "",
  hasRowChecks: true,
  numberedKey: "INTEGER PRIMARY KEY",
  bytes: "BLOB",
  // As bytes, because the engines decode long strings much more slowly than Node does.
  joinAsBytes: (expression, separator) => `CAST(group_concat(${expression}, ${separator}) AS BLOB)`,
  createLexicalIndex: createFts5Index,
};
