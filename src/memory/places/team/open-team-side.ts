import type { Settings } from "../../../config/default-settings.js";
import type { Environment } from "../../../domain/environment.js";
import type { Project } from "../../../files/find-project.js";
import { openPostgresStore, type SharedStore } from "../../../store/postgres/open-postgres-store.js";
import type { Store } from "../../../store/store.js";
import { teamStore } from "../../../store/team/team-store.js";
import type { Notice } from "../../notice.js";
import { repositoryIdentity } from "./repository-identity.js";

export interface TeamSideOptions {
  settings: Pick<Settings, "store.url" | "project.key">;
  project: Project;
  environment: Environment;
  busyTimeoutMs: number | undefined;
  notify(notice: Notice): void;
}

/** A store whose records are on a team's server; nothing is asked of the server before it is needed. */
export function openTeamSide(local: Store, options: TeamSideOptions): Store {
  const { settings, project, environment, busyTimeoutMs, notify } = options;
  const openShared = async (): Promise<SharedStore> => {
    const shared = await openPostgresStore({
      address: settings["store.url"],
      projectKey: projectKeyOf(settings, project),
      environment,
      ...(busyTimeoutMs !== undefined && { patienceMs: busyTimeoutMs }),
    });
    if (shared.wasFilled) return shared;
    const { fillIndex } = await import("../../derived/fill-index.js");
    await teamStore(local, async () => shared).transaction((tx) => fillIndex(tx, notify));
    return shared;
  };
  return teamStore(local, openShared);
}

/** The name under which a project's memory is kept. */
export function projectKeyOf(settings: Pick<Settings, "project.key">, project: Project): string {
  return settings["project.key"] || repositoryIdentity(project);
}
