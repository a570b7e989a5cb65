import { findAltered } from "../../semantic/records/checksum.js";
import { counted } from "../../text/counted.js";
import type { OpenProject } from "../project/open-project.js";
import type { Place } from "../project/place.js";
import { type Finding, ok } from "./finding.js";
import { shelfAtHand } from "./shelf-at-hand.js";

const namedIds = 5;

/** Whether each learning is as Ralph wrote it. */
export async function checkLearnings(
  session: OpenProject,
  place: Place,
  where: { isTeam: boolean },
): Promise<Finding[]> {
  const shelf = await shelfAtHand(session, place, where);
  if (shelf === undefined) return [ok("none yet")];
  const { store } = shelf;
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
