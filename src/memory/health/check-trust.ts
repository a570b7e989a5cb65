import type { OpenProject } from "../project/open-project.js";
import { trustHint } from "../project/project-trust.js";
import { makeTrustVerbs } from "../trust/trust.js";
import { type Finding, ok } from "./finding.js";

/** What the project asks for that the user has not allowed. */
export async function checkTrust(session: OpenProject): Promise<Finding[]> {
  const denied = (await makeTrustVerbs(session).list()).filter(({ isAllowed }) => !isAllowed);
  if (denied.length === 0) return [ok("nothing of this project is left out")];
  const names = denied.map(({ name }) => name).join(", ");
  return [{ status: "warning", detail: `left out: ${names} (${trustHint})` }];
}
