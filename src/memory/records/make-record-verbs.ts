import { checkedRows } from "../../store/dump/check-rows.js";
import type { OpenProject } from "../project/open-project.js";
import { dumpRecords } from "./dump-records.js";
import { loadRecords } from "./load-records.js";
import type { RecordVerbs } from "./record-verbs.js";

export function makeRecordVerbs(session: OpenProject): RecordVerbs {
  return {
    dump: (work) =>
      session.readOrEmpty(async ({ store }) => {
        return dumpRecords(await store.rowSides(), await projectKey(session), work);
      }),
    async check(rows) {
      let count = 0;
      for await (const _row of checkedRows(rows)) count += 1;
      return count;
    },
    async load(origin, rows, options = {}) {
      const { noteImportedTexts } = await import("./note-imported-texts.js");
      if (options.dryRun)
        return session.readOrEmpty(async ({ store }) => {
          const { settle, ...noting } = noteImportedTexts(session, store, options);
          const loaded = await loadRecords(await store.rowSides(), origin, rows, { ...options, ...noting });
          return { ...loaded, waiting: await settle() };
        });
      return session.write(async ({ store }) => {
        const { noteImportedRuns } = await import("./note-imported-runs.js");
        const runs = await noteImportedRuns(session, store);
        const { settle, onLoaded, ...texts } = noteImportedTexts(session, store, options);
        const onRows: typeof texts.onRows = (table, some) => {
          runs.onRows(table, some);
          texts.onRows(table, some);
        };
        const loaded = await loadRecords(await store.rowSides(), origin, rows, {
          ...options,
          onRows,
          onLoaded,
        });
        runs.flush();
        return { ...loaded, waiting: await settle() };
      });
    },
  };
}

export async function projectKey(session: OpenProject): Promise<string> {
  if (session.owner === "user") return "user";
  const { projectKeyOf } = await import("../places/team/open-team-side.js");
  return projectKeyOf(await session.settings(), session);
}
