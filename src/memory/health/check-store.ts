import { RalphError } from "../../domain/ralph-error.js";
import { counted } from "../../text/counted.js";
import { rebuildIndex } from "../derived/rebuild-index.js";
import type { OpenProject } from "../project/open-project.js";
import type { Place, StoreContext } from "../project/place.js";
import { makeTeamVerbs } from "../team/make-team-verbs.js";
import { describeError, type Finding, ok } from "./finding.js";
import { shelfAtHand } from "./shelf-at-hand.js";

const slowAnswerMs = 200;
const clockDifferenceMs = 5_000;

/** Whether a team's server can be reached, does what it is asked, agrees about the time, and has a sound index. */
export async function checkStore(session: OpenProject, place: Place): Promise<Finding[]> {
  const team = await makeTeamVerbs(session).describe();
  const shelf = await shelfAtHand(session, place, { isTeam: true });
  if (team === undefined || shelf === undefined) return [];
  const { store } = shelf;
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
  findings.push(await checkSharedIndex(shelf));
  const { waiting, waiting_tasks: tasks } = team;
  if (waiting + tasks.length > 0)
    findings.push({
      status: "warning",
      detail: `${counted(tasks.length, "task")} and ${counted(waiting, "record")} wait for it: run "ralph sync"`,
    });
  return findings;
}

async function checkSharedIndex(shelf: StoreContext): Promise<Finding> {
  const { lexical } = shelf.store;
  try {
    await lexical.verify();
    const [tasks, learnings] = await Promise.all([
      lexical.estimateDocuments("task"),
      lexical.estimateDocuments("learning"),
    ]);
    return ok(`index of ${counted(tasks, "task")} and ${counted(learnings, "learning")}`);
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "index-damaged") throw error;
    await rebuildIndex(shelf);
    return { status: "repaired", detail: `the index was rebuilt (${describeError(error)})` };
  }
}
