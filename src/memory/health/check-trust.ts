import { trustHint } from "../places/guard.js";
import type { ProjectSession } from "../project-session.js";
import { makeTrustVerbs } from "../trust/make-trust-verbs.js";
import { type Finding, ok } from "./finding.js";

/** What the project asks for that the user has not allowed. */
export async function checkTrust(session: ProjectSession): Promise<Finding[]> {
  const denied = (await makeTrustVerbs(session).list()).filter(({ isAllowed }) => !isAllowed);
  if (denied.length === 0) return [ok("nothing of this project is left out")];
  const names = denied.map(({ name }) => name).join(", ");
  return [{ status: "warning", detail: `left out: ${names} (${trustHint})` }];
}
