import type { Settings } from "../../config/default-settings.js";
import type { Environment } from "../../domain/environment.js";
import { type Project, readGitConfiguration } from "../../files/find-project.js";
import { hostName } from "../../processes/runner.js";
import type { SharedStore } from "../../store/postgres/open-postgres-store.js";
import type { Store } from "../../store/store.js";
import { type TeamStore, teamStore } from "../../store/team-store.js";
import type { Notice } from "../notice.js";

/** How long a command waits for a server before it goes on without. */
const connectTimeoutMs = 1_500;

export interface TeamSideOptions {
  settings: Pick<Settings, "store.url" | "project.key">;
  project: Project;
  environment: Environment;
  busyTimeoutMs: number | undefined;
  patienceMs: number | undefined;
  notify(notice: Notice): void;
  /** Called with the store once the server was reached: what waited for it can be delivered. */
  onReached(store: Store): Promise<void>;
}

/** A store whose records are on a team's server; nothing is asked of the server before it is needed. */
export function openTeamSide(local: Store, options: TeamSideOptions): TeamStore {
  const {
    settings,
    project,
    environment,
    busyTimeoutMs,
    notify,
    onReached,
    patienceMs = busyTimeoutMs,
  } = options;
  const openShared = async (): Promise<SharedStore> => {
    const isSomethingWaiting =
      (await local.outbox.count()) > 0 || (await local.tasks.listProvisional()).length > 0;
    const { openPostgresStore } = await import("../../store/postgres/open-postgres-store.js");
    const shared = await openPostgresStore({
      address: settings["store.url"],
      projectKey: projectKeyOf(settings, project),
      environment,
      connectTimeoutMs: Math.min(connectTimeoutMs, busyTimeoutMs ?? connectTimeoutMs),
      ...(patienceMs !== undefined && { patienceMs }),
      onWaiting: () => notify({ kind: "store-waited-for" }),
    });
    const reached = teamStore(local, async () => shared);
    if (!shared.wasFilled) {
      const { fillIndex } = await import("../derived/fill-index.js");
      await reached.transaction((tx) => fillIndex(tx, notify));
    }
    if (isSomethingWaiting) await onReached(reached);
    return shared;
  };
  return teamStore(local, openShared);
}

/** The name under which a project's memory is kept. */
export function projectKeyOf(settings: Pick<Settings, "project.key">, project: Project): string {
  return settings["project.key"] || repositoryIdentity(project);
}

/** What is the same for every clone of a repository: the address of its remote. Without one, where it lies on this machine. */
export function repositoryIdentity({ root, home }: Project): string {
  const remote = remoteIn(readGitConfiguration(root) ?? "");
  return remote === undefined ? `${hostName()}:${home}` : normaliseRemote(remote);
}

/** The remote `origin`, else the first one. */
function remoteIn(configuration: string): string | undefined {
  const remotes = [...configuration.matchAll(/^\s*\[remote "(.+?)"\]([^[]*)/gm)].flatMap(
    ([, name, body = ""]) => {
      const url = /^\s*url\s*=\s*"?(.+?)"?\s*$/m.exec(body)?.[1];
      return url === undefined ? [] : [{ name, url }];
    },
  );
  return (remotes.find(({ name }) => name === "origin") ?? remotes[0])?.url;
}

/** `github.com/team/shop` for each of the ways to write it. */
export function normaliseRemote(address: string): string {
  const short = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(address);
  const long = /^[a-z+]+:\/\/(?:[^@/]*@)?([^:/]*)(?::\d+)?\/(.+)$/i.exec(address);
  const [, host = "", path = address] = long ?? short ?? [];
  const plain = path.replace(/^\/+|\/+$/g, "").replace(/\.git$/i, "");
  return host === "" ? plain : `${host.toLowerCase()}/${plain}`;
}
