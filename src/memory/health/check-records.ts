import { randomUUID } from "node:crypto";
import { defaultSettings } from "../../config/default-settings.js";
import { RalphError } from "../../domain/ralph-error.js";
import { markAllInterrupted } from "../../episodic/attempts/interrupted-attempts.js";
import { findAltered } from "../../semantic/records/checksum.js";
import { counted, listed } from "../../text/counted.js";
import { rebuildIndex } from "../derived/rebuild-index.js";
import { windowOptions } from "../project/episodic-options.js";
import type { OpenProject } from "../project/open-project.js";
import type { Place, StoreContext } from "../project/place.js";
import { closeRun, endProcessesOf, lookAtRun } from "../runs/end-run.js";
import { makeTeamVerbs } from "../team/team.js";
import { describeError, type Finding, ok, storeAtHand } from "./finding.js";

const slowAnswerMs = 200;
const clockDifferenceMs = 5_000;

/** Whether a team's server can be reached, does what it is asked, agrees about the time, and has a sound index. */
export async function checkStore(project: OpenProject, place: Place): Promise<Finding[]> {
  const team = await makeTeamVerbs(project).describe();
  const opened = await storeAtHand(project, place, { isTeam: true });
  if (team === undefined || opened === undefined) return [];
  const { store } = opened;
  const { engine, schemaVersion, server } = await store.describe();
  const name = `${team.address}, ${engine}, schema ${schemaVersion}, project ${team.project}`;
  if (server === undefined) return [ok(name)];
  const { answerMs, aheadMs, mayWrite, hasRowSecurity } = server;
  const security = hasRowSecurity ? ", row security" : "";
  const findings = [ok(`${name}${security}, answers in ${Math.ceil(answerMs)} ms`)];
  if (!mayWrite)
    findings.push({
      status: "failed",
      detail: "this user may not write there: ask the owner of the database",
    });
  if (answerMs > slowAnswerMs)
    findings.push({ status: "warning", detail: `an answer takes ${Math.round(answerMs)} ms` });
  if (Math.abs(aheadMs) > clockDifferenceMs)
    findings.push({
      status: "warning",
      detail: `the server's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"} this machine's`,
    });
  findings.push(await checkSharedIndex(opened));
  const { waiting, waiting_tasks: tasks } = team;
  if (waiting + tasks.length > 0)
    findings.push({
      status: "warning",
      detail: `${counted(tasks.length, "task")} and ${counted(waiting, "record")} wait for it: run "ralph sync"`,
    });
  return findings;
}

async function checkSharedIndex(opened: StoreContext): Promise<Finding> {
  const { lexical } = opened.store;
  try {
    await lexical.verify();
    const [tasks, learnings] = await Promise.all([
      lexical.estimateDocuments("task"),
      lexical.estimateDocuments("learning"),
    ]);
    return ok(`index of ${counted(tasks, "task")} and ${counted(learnings, "learning")}`);
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "index-damaged") throw error;
    await rebuildIndex(opened);
    return { status: "repaired", detail: `the index was rebuilt (${describeError(error)})` };
  }
}

const namedIds = 5;

/** Whether each learning is as Ralph wrote it. */
export async function checkLearnings(
  project: OpenProject,
  place: Place,
  where: { isTeam: boolean },
): Promise<Finding[]> {
  const opened = await storeAtHand(project, place, where);
  if (opened === undefined) return [ok("none yet")];
  const { store } = opened;
  const altered = await findAltered(store);
  if (altered.length === 0)
    return [ok(`${counted((await store.learnings.totals()).count, "learning")} as recorded`)];
  const more = altered.length > namedIds ? ` and ${altered.length - namedIds} more` : "";
  return [
    {
      status: "failed",
      detail:
        `altered outside Ralph, so no brief shows them: ${altered.slice(0, namedIds).join(", ")}${more} ` +
        '("ralph learnings restore --altered" takes them from a backup, "ralph learnings verify --accept <id>" ' +
        'keeps one as it is, "ralph learnings delete <id>" removes it)',
    },
  ];
}

/** Ends attempts that nobody holds any more. What is left of killed runs is reported, and closed by a repair. */
export async function checkTasks(
  project: OpenProject,
  place: Place,
  { hasSettings, isTeam, repair }: { hasSettings: boolean; isTeam: boolean; repair: boolean },
): Promise<Finding[]> {
  const opened = await storeAtHand(project, place, { isTeam });
  if (opened === undefined) return [ok("none yet")];
  const { store } = opened;
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
