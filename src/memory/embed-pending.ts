import type { ProjectSession } from "./project-session.js";

/** How many records a command embeds that has other work to do. */
const embeddedBeside = 256;

/** Embeds what waits for it; does nothing without an embedder, and a fault of it is only reported. */
export async function embedPending(session: ProjectSession, limit = embeddedBeside): Promise<void> {
  const settings = await session.settings();
  if (settings["embedder.use"] === "none" || !(await session.exists())) return;
  const { embedBeside } = (await session.vectorSearch()).withSettings(settings);
  await session.write((shelf) => embedBeside(shelf, limit));
}
