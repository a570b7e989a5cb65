import { join, resolve } from "node:path";
import { defaultSettings, type Settings } from "../../../config/default-settings.js";
import type { Environment } from "../../../domain/environment.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { isSameModel, minilmNamed } from "../../../embed/embedder.js";
import type { EmbedderChoice, Expectations } from "../../../embed/open-embedder.js";
import { findProjectPackages } from "../../../embed/project-packages.js";
import type { Project } from "../../../files/find-project.js";
import type { TrustRequest } from "../../../trust/request.js";

export interface EmbedderSurroundings {
  project: Project;
  ralphHome: string;
  environment: Environment;
  /** Whether the user allowed what the project brings. */
  isAllowed(request: TrustRequest): boolean;
  /** Says what was left out. */
  tell(requests: readonly TrustRequest[]): void;
}

/** The configured embedder. */
export function chosenEmbedder(settings: Settings, surroundings: EmbedderSurroundings): EmbedderChoice {
  const { project, ralphHome, environment } = surroundings;
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
    folders: [ralphHome, ...trustedFolders(use, surroundings)],
    downloads: join(ralphHome, "models"),
  };
}

/** What an embedder would load from a folder of the project. */
export function packageRequests(use: Settings["embedder.use"], folder: string): TrustRequest[] {
  return findProjectPackages(use, folder).map(({ name, content }) => ({
    kind: "package",
    name: `node_modules/${name}`,
    value: content,
    effect: "runs this package of the project to embed texts, with whatever its other files contain",
  }));
}

/** The project's folders whose packages may be loaded. */
function trustedFolders(
  use: EmbedderChoice["use"],
  { project, isAllowed, tell }: EmbedderSurroundings,
): string[] {
  return [...new Set([project.root, project.home])].filter((folder) => {
    const requests = packageRequests(use, folder);
    const denied = requests.filter((request) => !isAllowed(request));
    tell(denied);
    return requests.length > 0 && denied.length === 0;
  });
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
