import type { Settings } from "../../config/default-settings.js";
import { hasStore } from "../../store/open-store.js";
import type { OpenProject } from "../project/open-project.js";
import type { Place } from "../project/place.js";
import { describeError, type Finding, ok } from "./finding.js";

/** Which embedder is configured, whether it works, and how many records have a vector. */
export async function checkEmbedder(session: OpenProject, place: Place): Promise<Finding[]> {
  const settings = await session.settings();
  if (settings["embedder.use"] === "none")
    return [ok(`none: records are found by words only${await missingEmbedder(settings)}`)];
  if (!hasStore(place.storeDirectory)) return [ok(`${settings["embedder.use"]}, nothing to embed yet`)];
  const shelf = await session.openStore(place);
  const vectors = (await session.vectorSearch()).withSettings(settings);
  const { model, records, waiting } = await vectors.count(shelf);
  const share = `${records - waiting} of ${records} records have a vector`;
  const rest = waiting > 0 ? `, ${waiting} pending (run "ralph index embed")` : "";
  try {
    const dimensions = await vectors.probe();
    const state = dimensions === undefined ? "not downloaded yet" : `${dimensions} dimensions`;
    return [ok(`${model}, ${state}, ${share}${rest}`)];
  } catch (error) {
    return [
      { status: "warning", detail: `${model} does not work: ${describeError(error)}; ${share}${rest}` },
    ];
  }
}

async function missingEmbedder(settings: Settings): Promise<string> {
  const { expectedByCrossTask } = await import("../derived/vectors/embedder-choice.js");
  const { model } = expectedByCrossTask(settings);
  return model === undefined
    ? ""
    : `; cross_task_learning.embedding asks for ${model}, but embedder.use is not set`;
}
