import type { TaskHistory } from "../../episodic/history/query-history.js";
import { type ExportSource, renderBack } from "../export-source.js";
import { type FileMap, writeFileMap } from "../file-map.js";
import type { TargetFolder } from "../target-folder.js";
import { loopsFolder } from "./read-loops.js";
import { findState, taskOfLoop } from "./task-of-loop.js";

/** Writes loops back that were imported, and says how many; without one, the latest task is the current loop. */
export async function writeLoops(source: ExportSource, target: TargetFolder): Promise<number> {
  const { memory, rows } = source;
  const loops = rows.filter(({ kind, file }) => kind === "task" && file.startsWith(loopsFolder));
  for (const row of loops) {
    const files = row.original as FileMap;
    if (row.recordId?.startsWith("task-") !== true) {
      writeFileMap(target, row.file, files);
      continue;
    }
    const name = findState(files);
    const history = await memory.tasks.history(row.recordId, { isFull: true });
    const written = renderBack(row, history, {
      read: (original) =>
        taskOfLoop(original as FileMap, { place: row.file, name: row.foreignId, modified: history.created }),
      render: (task) => renderLoop({ ...task, id: row.foreignId }, name),
    });
    writeFileMap(target, row.file, written as FileMap);
  }
  for (const { kind, foreignId, original } of rows)
    if (kind === "kept" && foreignId.startsWith(`${loopsFolder}/`))
      writeFileMap(target, loopsFolder, { [foreignId.slice(loopsFolder.length + 1)]: original });
  if (loops.length > 0) return loops.length;
  const [latest] = await memory.tasks.list({ limit: 1 });
  if (latest === undefined) return 0;
  const history = await memory.tasks.history(latest.id, { isFull: true });
  writeFileMap(target, loopsFolder, renderLoop(history, "state.json"));
  return 0;
}

/** The state of a loop in its published form, and a file for each iteration; those of all attempts in a row. */
function renderLoop(task: TaskHistory, stateName: string): FileMap {
  const { id, uuid, description, created, updated, status, attempts, reflections } = task;
  let before = 0;
  const iterations = attempts.flatMap((attempt) => {
    const first = before;
    before += Math.max(attempt.execution.iterations, ...attempt.results.map(({ iteration }) => iteration), 0);
    return attempt.results.map((result) => ({
      number: first + result.iteration,
      status: result.success ? "completed" : "failed",
      ...(result.timestamp !== undefined && { timestamp: result.timestamp }),
      analysis: {
        progressMade: result.success === true,
        ...(result.trouble !== undefined && { errors: [result.trouble] }),
      },
      learnings: reflections.flatMap(({ attempt_id, iteration, learning }) =>
        attempt_id === attempt.id && iteration === result.iteration && learning !== "" ? [learning] : [],
      ),
      filesModified: attempt.context.files_involved,
    }));
  });
  return {
    [stateName]: {
      loopId: id,
      uuid,
      objective: description,
      status: status === "paused" ? "running" : status,
      currentIteration: before,
      startTime: created,
      lastUpdate: updated,
      iterations,
    },
    ...Object.fromEntries(
      iterations.map((iteration) => [
        `iterations/iteration-${String(iteration.number).padStart(3, "0")}.json`,
        iteration,
      ]),
    ),
  };
}
