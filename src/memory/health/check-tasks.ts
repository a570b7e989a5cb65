import { defaultSettings } from "../../config/default-settings.js";
import { markAllInterrupted } from "../../episodic/attempts/mark-interrupted.js";
import { hasStore } from "../../store/open-store.js";
import { windowOptions } from "../episodic-options.js";
import type { Place } from "../places/place.js";
import type { ProjectSession } from "../project-session.js";
import { type Finding, ok } from "./finding.js";

/** Marks attempts whose process is gone as interrupted. */
export async function checkTasks(
  { shelves, clock, project }: ProjectSession,
  place: Place,
  hasSettings: boolean,
): Promise<Finding[]> {
  if (!hasStore(place.storeDirectory)) return [ok("none yet")];
  const { store } = await shelves.open(place);
  const window = windowOptions(hasSettings ? await shelves.effectiveSettings() : defaultSettings);
  const marked = await markAllInterrupted({
    root: project.root,
    store,
    clock,
    window,
    newUuid: () => crypto.randomUUID(),
  });
  if (marked.length === 0) return [ok("no interrupted attempts")];
  return [{ status: "repaired", detail: `ended interrupted attempts of ${marked.join(", ")}` }];
}
