import { messageOf, RalphError } from "../../domain/ralph-error.js";
import { hasStore } from "../../store/open-store.js";
import type { OpenProject } from "../project/open-project.js";
import type { Place, StoreContext } from "../project/place.js";

/** The result of one check. */
export interface Finding {
  status: "ok" | "repaired" | "warning" | "failed";
  detail: string;
}

export function ok(detail: string): Finding {
  return { status: "ok", detail };
}

/** An error and its hint, on one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof RalphError)) return messageOf(error);
  return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
}

/** What there is to look at: records on this machine or on a team's server. To look creates no files. */
export async function storeAtHand(
  project: OpenProject,
  place: Place,
  { isTeam }: { isTeam: boolean },
): Promise<StoreContext | undefined> {
  if (hasStore(place.storeDirectory)) return project.openStore(place);
  return isTeam ? project.findStore() : undefined;
}
