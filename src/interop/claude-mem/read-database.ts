import { basename, join } from "node:path";
import { findStats } from "../../files/find-stats.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import { openForeignDatabase } from "../../store/sqlite/foreign-database.js";
import { counted } from "../../text/counted.js";
import type { ReadOptions } from "../layout.js";
import { unusable } from "../record-fields.js";
import { openTables } from "./memory-tables.js";
import { observationRecords } from "./observation-records.js";
import { sessionRecords } from "./session-records.js";

export const databaseFile = "claude-mem.db";

/** Sessions, what was observed in them and how they ended. Tables with raw prompts and the output of tools are left alone. */
export async function* readDatabase(
  path: string,
  { surroundings, only, onSkipped }: ReadOptions,
): AsyncGenerator<ForeignFile> {
  const file = findStats(path)?.isDirectory() ? join(path, databaseFile) : path;
  const { database, close } = await openForeignDatabase(file);
  try {
    const projects = only.length > 0 ? only : [basename(surroundings.root)];
    const tables = openTables(database, file, projects);
    if (!tables.has("observations")) throw unusable(file, "is no database of claude-mem");
    for (const { project, observations } of tables.otherProjects())
      onSkipped(
        `${basename(file)}: project ${project} with ${counted(observations, "observation")} (--only ${project})`,
      );
    const newest = tables.newestSession();
    for (const sessions of tables.sessions())
      yield {
        file: basename(file),
        records: sessions.flatMap((session) => sessionRecords(session, { isNewest: session.id === newest })),
      };
    for (const observations of tables.observations())
      yield { file: basename(file), records: observations.flatMap(observationRecords) };
  } finally {
    close();
  }
}
