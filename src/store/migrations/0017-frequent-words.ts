import { frequentWordsTable } from "../sqlite/lexical/frequent-words.js";
import type { Migration } from "./migration.js";

/** In how many records a frequent word is. New databases have the table with their index. */
export const frequentWordsMigration: Migration = {
  version: 17,
  async up(sql) {
    await sql.run(frequentWordsTable);
  },
};
