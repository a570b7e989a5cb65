import { checkedRows } from "../../store/dump/check-rows.js";
import type { ProjectSession } from "../project-session.js";
import { dumpRecords } from "./dump-records.js";
import { loadRecords } from "./load-records.js";
import type { RecordVerbs } from "./record-verbs.js";

export function makeRecordVerbs(session: ProjectSession): RecordVerbs {
  return {
    dump: (work) =>
      session.readOrEmpty(async ({ store }) =>
        dumpRecords(await store.rowSides(), await projectKey(session), work),
      ),
    async check(rows) {
      let count = 0;
      for await (const _row of checkedRows(rows)) count += 1;
      return count;
    },
    async load(origin, rows, options = {}) {
      const load = async ({ store }: Parameters<Parameters<typeof session.write>[0]>[0]) =>
        loadRecords(await store.rowSides(), origin, rows, options);
      return options.dryRun ? session.readOrEmpty(load) : session.write(load);
    },
  };
}

export async function projectKey(session: ProjectSession): Promise<string> {
  if (session.owner === "user") return "user";
  const { projectKeyOf } = await import("../places/team/open-team-side.js");
  return projectKeyOf(await session.settings(), session.project);
}
