import { join, resolve } from "node:path";
import { defaultSettings, type Settings } from "../../../config/default-settings.js";
import type { Environment } from "../../../domain/environment.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { isSameModel, minilmNamed } from "../../../embed/embedder-name.js";
import type { Expectations } from "../../../embed/expectations.js";
import type { EmbedderChoice } from "../../../embed/open-embedder.js";
import type { Project } from "../../../files/find-project.js";

export interface EmbedderSurroundings {
  project: Project;
  ralphHome: string;
  environment: Environment;
}

/** The configured embedder. */
export function chosenEmbedder(
  settings: Settings,
  { project, ralphHome, environment }: EmbedderSurroundings,
): EmbedderChoice {
  const use = settings["embedder.use"];
  if (use === "none") {
    throw new RalphError("wrong-use", "No embedder is configured", {
      hint: 'put "embedder: minilm" into ralph.yml; see docs/guide.md',
    });
  }
  const { "embedder.path": path, "embedder.model": model } = settings;
  const expected = expectedByCrossTask(settings);
  return {
    use,
    path: path === "" ? undefined : resolve(project.root, path),
    address: settings["embedder.address"],
    model: model === "auto" ? modelFor(use, expected) : model,
    expected,
    key: environment[settings["embedder.key_variable"]],
    batch: settings["embedder.batch"],
    folders: [project.root, project.home, ralphHome],
    downloads: join(ralphHome, "models"),
  };
}

/** What `cross_task_learning.embedding` requires. The published defaults require nothing: many settings files contain them. */
export function expectedByCrossTask(settings: Settings): Expectations {
  const {
    "cross_task_learning.embedding.model": model,
    "cross_task_learning.embedding.dimensions": dimensions,
  } = settings;
  const isDefault = isSameModel(model, defaultSettings["cross_task_learning.embedding.model"]);
  return {
    model: isDefault ? undefined : model,
    dimensions:
      dimensions === defaultSettings["cross_task_learning.embedding.dimensions"] ? undefined : dimensions,
  };
}

function modelFor(use: EmbedderChoice["use"], { model }: Expectations): string | undefined {
  return model !== undefined && use === "minilm" ? minilmNamed(model) : model;
}
