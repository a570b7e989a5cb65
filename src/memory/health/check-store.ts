import { counted } from "../../text/counted.js";
import type { Place } from "../places/place.js";
import type { ProjectSession } from "../project-session.js";
import { makeTeamVerbs } from "../team/make-team-verbs.js";
import { type Finding, ok } from "./finding.js";

const slowAnswerMs = 200;
const clockDifferenceMs = 5_000;

/** Whether a team's server can be reached, does what it is asked, and agrees about the time. */
export async function checkStore(session: ProjectSession, place: Place): Promise<Finding[]> {
  const team = await makeTeamVerbs(session).describe();
  if (team === undefined) return [];
  const { store } = await session.shelves.open(place);
  const { engine, schemaVersion, server } = await store.describe();
  const findings = [ok(`${team.address}, ${engine}, schema ${schemaVersion}, project ${team.project}`)];
  if (server === undefined) return findings;
  const { answerMs, aheadMs, mayWrite } = server;
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
  const { waiting, waiting_tasks: tasks } = team;
  if (waiting + tasks.length > 0)
    findings.push({
      status: "warning",
      detail: `${counted(tasks.length, "task")} and ${counted(waiting, "record")} wait for it: run "ralph sync"`,
    });
  return findings;
}
