import { countRows, highestNumbers, readRows, type TableCounts } from "../../store/dump/read-rows.js";
import type { RowSide } from "../../store/dump/row-side.js";
import { schemaVersion } from "../../store/schema-version.js";
import type { Sql } from "../../store/sql.js";
import type { RecordDump } from "./record-verbs.js";

interface OpenSide {
  side: RowSide;
  sql: Sql;
}

/** Opens a dump of the databases of a store while `work` runs. */
export function dumpRecords<Result>(
  sides: readonly RowSide[],
  project: string,
  work: (dump: RecordDump) => Promise<Result>,
): Promise<Result> {
  return openAll(sides, [], async (opened) => {
    let counts: TableCounts = {};
    const highest = { tasks: 0, handoffs: 0 };
    for (const { side, sql } of opened) {
      counts = { ...counts, ...(await countRows(sql, side.dialect, side.tables)) };
      const { tasks, handoffs } = await highestNumbers(sql, side.dialect, side.tables);
      highest.tasks = Math.max(highest.tasks, tasks);
      highest.handoffs = Math.max(highest.handoffs, handoffs);
    }
    return work({ schema: schemaVersion, project, highest, counts, rows: () => rowsOf(opened) });
  });
}

function openAll<Result>(
  [side, ...others]: readonly RowSide[],
  opened: OpenSide[],
  work: (opened: OpenSide[]) => Promise<Result>,
): Promise<Result> {
  if (side === undefined) return work(opened);
  return side.atOneMoment((sql) => openAll(others, [...opened, { side, sql }], work));
}

async function* rowsOf(opened: readonly OpenSide[]) {
  for (const { side, sql } of opened) yield* readRows(sql, side.dialect, side.tables);
}
