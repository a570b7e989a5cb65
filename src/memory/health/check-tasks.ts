import { randomUUID } from "node:crypto";
import { defaultSettings } from "../../config/default-settings.js";
import { markAllInterrupted } from "../../episodic/attempts/interrupted-attempts.js";
import { listed } from "../../text/counted.js";
import { windowOptions } from "../project/episodic-options.js";
import type { OpenProject } from "../project/open-project.js";
import type { Place } from "../project/place.js";
import { closeRun, endProcessesOf, lookAtRun } from "../runs/end-run.js";
import { type Finding, ok } from "./finding.js";
import { shelfAtHand } from "./shelf-at-hand.js";

/** Ends attempts that nobody holds any more. What is left of killed runs is reported, and closed by a repair. */
export async function checkTasks(
  project: OpenProject,
  place: Place,
  { hasSettings, isTeam, repair }: { hasSettings: boolean; isTeam: boolean; repair: boolean },
): Promise<Finding[]> {
  const shelf = await shelfAtHand(project, place, { isTeam });
  if (shelf === undefined) return [ok("none yet")];
  const { store } = shelf;
  const { clock } = project;
  const settings = hasSettings ? await project.settings() : defaultSettings;
  const window = windowOptions(settings);
  const context = { root: project.root, store, clock, window, newUuid: randomUUID };
  const findings: Finding[] = [];
  for (const run of await store.runs.listUnfinished()) {
    const { isHeld, state, left } = await lookAtRun(store, run, clock());
    if (isHeld) continue;
    const killed = `the run of ${run.task_id} (process ${run.runner.pid} on ${run.runner.host}: ${state})`;
    if (!repair)
      findings.push({ status: "warning", detail: `${killed} was killed${next(run.task_id, left)}` });
    else {
      // Somebody else's records may name any process.
      const { ended, problems } = project.trust.hasForeignRecords()
        ? { ended: [], problems: [] }
        : await endProcessesOf(run, settings["run.kill_grace_seconds"] * 1000);
      await closeRun(context, run, `${state}; closed by ralph doctor`);
      const also = ended.length === 0 ? "" : ` and ended its ${listed(ended, "process", "processes")}`;
      findings.push({ status: "repaired", detail: `closed ${killed}${also}` });
      findings.push(...problems.map((detail): Finding => ({ status: "warning", detail })));
    }
  }
  const marked = await markAllInterrupted(context);
  if (marked.length > 0)
    findings.push({ status: "repaired", detail: `ended interrupted attempts of ${marked.join(", ")}` });
  return findings.length === 0 ? [ok("no interrupted attempts")] : findings;
}

function next(taskId: string, left: readonly number[]): string {
  const running =
    left.length === 0
      ? ""
      : `, and its ${listed(left, "process", "processes")} still ${left.length === 1 ? "runs" : "run"}`;
  return `${running} ("ralph resume ${taskId}" continues it, "ralph stop ${taskId}" or "ralph doctor --repair" closes it)`;
}
