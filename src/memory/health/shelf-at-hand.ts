import { hasStore } from "../../store/open-store.js";
import type { OpenProject } from "../project/open-project.js";
import type { Place, StoreContext } from "../project/place.js";

/** What there is to look at: records on this machine or on a team's server. To look creates no files. */
export async function shelfAtHand(
  project: OpenProject,
  place: Place,
  { isTeam }: { isTeam: boolean },
): Promise<StoreContext | undefined> {
  if (hasStore(place.storeDirectory)) return project.openStore(place);
  return isTeam ? project.findStore() : undefined;
}
