import { hasStore } from "../../store/open-store.js";
import type { Place } from "../places/place.js";
import type { Shelf } from "../places/shelf.js";
import type { ProjectSession } from "../project-session.js";

/** What there is to look at: records on this machine or on a team's server. To look creates no files. */
export async function shelfAtHand(
  { shelves }: Pick<ProjectSession, "shelves">,
  place: Place,
  { isTeam }: { isTeam: boolean },
): Promise<Shelf | undefined> {
  if (hasStore(place.storeDirectory)) return shelves.open(place);
  return isTeam ? shelves.find() : undefined;
}
