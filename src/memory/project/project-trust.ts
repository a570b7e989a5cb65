import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { isTrustingAll } from "../../config/paths.js";
import type { Environment } from "../../domain/environment.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Project } from "../../files/find-project.js";
import { isInside } from "../../files/path-inside.js";
import { storeFile } from "../../store/open-store.js";
import { findLinksOut } from "../../trust/links-out.js";
import type { TrustRequest } from "../../trust/request.js";
import { findStoreFolder, makeStoreFolder, type StoreFolder } from "../../trust/store-folder.js";
import { openAllowedRequests, readTrust, trustFile } from "../../trust/trust-file.js";
import type { Notice } from "../notice.js";
import { filesOf, isInAgentFolder, type Place } from "./place.js";

export interface ProjectTrustOptions {
  folders: Project;
  ralphHome: string;
  environment: Environment;
  /** Obeys everything, as `RALPH_TRUST=1` does. */
  isTrusted: boolean;
  notify(notice: Notice): void;
}

/** Decides what of a project is obeyed: it may come from somebody else. */
export type ProjectTrust = ReturnType<typeof projectTrust>;

export function projectTrust({ folders, ralphHome, environment, isTrusted, notify }: ProjectTrustOptions) {
  const isAllAllowed = isTrusted || isTrustingAll(environment);
  const file = trustFile(ralphHome, folders.home);
  const reported = new Set<string>();

  const openAllowed = (): ((request: TrustRequest) => boolean) =>
    isAllAllowed ? () => true : openAllowedRequests(file, folders.home);

  const deniedLinks = (paths: readonly string[]): TrustRequest[] => {
    const links = linkRequests(paths);
    if (links.length === 0) return [];
    const isAllowed = openAllowed();
    return links.filter((link) => !isAllowed(link));
  };

  /** Only the user's own files may lead to others of them: a project's must not reach what is kept for all projects. */
  const linkRequests = (paths: readonly string[]): TrustRequest[] => {
    const own = paths.filter((path) => isInside(ralphHome, path));
    const others = paths.filter((path) => !own.includes(path));
    const found = [
      ...findLinksOut(others, [folders.home, folders.root]),
      ...findLinksOut(own, [folders.home, folders.root, ralphHome]),
    ];
    return found.map(({ name, target }) => ({
      kind: "link",
      name,
      value: target,
      effect: "reads and writes there",
    }));
  };

  const storeOptions = {
    ralphHome,
    isTrusted: isAllAllowed,
    isLinkAllowed: (path: string) => deniedLinks([path]).length === 0,
  };

  /** Whether records of somebody else were copied into the project's store. */
  const isForeign = (): boolean => readTrust(file, folders.home).isForeign;

  return {
    file,
    isAllAllowed,
    openAllowed,
    linkRequests,
    deniedLinks,
    isForeign,
    /** Digests of the runs that came with an import. */
    importedRuns: (): ReadonlySet<string> => new Set(readTrust(file, folders.home).importedRuns),

    /** The records that came with an import and read like an instruction. */
    importedTexts: (): ReadonlySet<string> => new Set(readTrust(file, folders.home).importedTexts),

    /** Whether somebody else made the records, and the user does not obey everything. */
    hasForeignRecords: (): boolean => !isAllAllowed && isForeign(),

    /** Links of a memory that lead out of the project, and are not allowed; in the user's own folder all are. */
    deniedLinksOf: (place: Place): TrustRequest[] =>
      place.storeDirectory === ralphHome ? [] : deniedLinks(pathsOf(place)),

    /** Reports each thing that was left out once. */
    report(requests: readonly TrustRequest[]): void {
      const fresh = requests.filter(({ name }) => !reported.has(name));
      for (const { name } of fresh) reported.add(name);
      if (fresh.length > 0) notify({ kind: "left-out", requests: fresh });
    },

    /** Looks anew each time: somebody may replace a folder while this process runs. */
    findStoreFolder: (): StoreFolder => findStoreFolder(folders.home, storeOptions),

    /** Makes the folder of the store, if there is none, as the user's own. */
    makeStoreFolder: (path: string): void => makeStoreFolder(path, storeOptions),

    /** What the project asks for with records of somebody else; their commands stay data all the same. */
    recordsRequest(folder: string): TrustRequest | undefined {
      const stats = lstatSync(storeFile(folder), { throwIfNoEntry: false });
      if (!stats?.isFile()) return undefined;
      return {
        kind: "records",
        name: "records in .ralph",
        value: `${stats.size} bytes of ${stats.mtime.toISOString()}`,
        effect: "copies the records that came with the project into your own store",
      };
    },
  };
}

/** Everything of a memory that is opened by its name. */
export function pathsOf(place: Place): string[] {
  const notes = filesOf(place).flatMap((file) =>
    isInAgentFolder(file) ? [dirname(file.path), file.path] : [file.path],
  );
  return [place.storeDirectory, ...notes];
}

export function notTrusted(requests: readonly TrustRequest[]): RalphError {
  const [first] = requests;
  const what =
    first?.kind === "link"
      ? `${first.name} is a link that leads out of the project, to ${first.value}`
      : `${requests.map(({ name }) => name).join(", ")} of this project ${requests.length === 1 ? "is" : "are"} not trusted`;
  return new RalphError("not-trusted", what, { hint: trustHint });
}

export const trustHint = '"ralph trust" shows what it would do, and allows it';
