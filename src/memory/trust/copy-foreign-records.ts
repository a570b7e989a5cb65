import { join } from "node:path";
import { withPrivateCopy } from "../../files/private-copy.js";
import { openStore, storeFile } from "../../store/open-store.js";
import type { OpenProject } from "../project/open-project.js";
import { dumpRecords, makeRecordVerbs, projectKey } from "../records/record-verbs.js";

/**
 * Adds the records of a foreign database to the user's own. They are read from a copy of the database and its log, so that only the copy
 * can change. The journal is left out: it could make SQLite delete other files.
 */
export async function copyForeignRecords(session: OpenProject, folder: string): Promise<void> {
  const temporary = join(session.ralphHome, "tmp");
  const files = ["", "-wal"].map((suffix) => storeFile(folder) + suffix);
  await withPrivateCopy(files, temporary, async (directory) => {
    const store = await openStore({ directory });
    try {
      const { load } = makeRecordVerbs(session);
      const project = await projectKey(session);
      await dumpRecords(await store.rowSides(), project, (dump) => load(dump, dump.rows()));
    } finally {
      await store.close();
    }
  });
}
