import { join, resolve } from "node:path";
import type { Settings } from "../../../config/default-settings.js";
import type { Environment } from "../../../domain/environment.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { EmbedderChoice } from "../../../embed/open-embedder.js";
import type { Project } from "../../../files/find-project.js";

export interface EmbedderSurroundings {
  project: Project;
  ralphHome: string;
  environment: Environment;
}

/** The embedder that the settings ask for. */
export function chosenEmbedder(
  settings: Settings,
  { project, ralphHome, environment }: EmbedderSurroundings,
): EmbedderChoice {
  const use = settings["embedder.use"];
  if (use === "none") {
    throw new RalphError("wrong-use", "No embedder is set", {
      hint: 'put "embedder: minilm" into ralph.yml; see docs/guide.md',
    });
  }
  const { "embedder.path": path, "embedder.model": model } = settings;
  return {
    use,
    path: path === "" ? undefined : resolve(project.root, path),
    address: settings["embedder.address"],
    model: model === "auto" ? undefined : model,
    key: environment[settings["embedder.key_variable"]],
    batch: settings["embedder.batch"],
    folders: [project.root, project.home, ralphHome],
    downloads: join(ralphHome, "models"),
  };
}
