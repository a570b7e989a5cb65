import type { OpenProject } from "./project/open-project.js";

/** How many records a command embeds besides its own work. */
const maxEmbedded = 256;

/** Embeds pending records; does nothing without an embedder, and only reports one that fails. */
export async function embedPending(session: OpenProject, limit = maxEmbedded): Promise<void> {
  const settings = await session.settings();
  if (settings["embedder.use"] === "none" || !(await session.exists())) return;
  const { embedBeside } = (await session.vectorSearch()).withSettings(settings);
  await session.write((shelf) => embedBeside(shelf, limit));
}
