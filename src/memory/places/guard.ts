import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isTrustingAll } from "../../config/paths.js";
import type { Environment } from "../../domain/environment.js";
import { lazyModule } from "../../domain/lazy-module.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Project } from "../../files/find-project.js";
import { isInside } from "../../files/path-inside.js";
import { makePrivate, protectDirectory } from "../../files/private-directory.js";
import { hasStore, storeFile, storeFiles } from "../../store/open-store.js";
import { findLinksOut } from "../../trust/links-out.js";
import type { TrustRequest } from "../../trust/request.js";
import { markKnown, readTrust, trustFile } from "../../trust/trust-file.js";
import type { Notice } from "../notice.js";
import { isInAgentFolder, type Place } from "./place.js";
import { filesOf } from "./shelf.js";

export interface GuardOptions {
  project: Project;
  ralphHome: string;
  environment: Environment;
  /** Obeys everything, as `RALPH_TRUST=1` does. */
  isTrusted: boolean | undefined;
  notify(notice: Notice): void;
}

const foreign = lazyModule(() => import("../../trust/foreign/foreign-store.js"));
const allowing = lazyModule(() => import("../../trust/requests/allowed-requests.js"));

/** Decides what of a project is obeyed: it may come from somebody else. */
export type Guard = ReturnType<typeof makeGuard>;

export function makeGuard({ project, ralphHome, environment, isTrusted, notify }: GuardOptions) {
  const isAllAllowed = isTrusted === true || isTrustingAll(environment);
  const file = trustFile(ralphHome, project.home);
  const told = new Set<string>();
  let isForeignKnown: Promise<boolean> | undefined;

  /** Answers at once, for as many requests as are to be looked at. */
  const openAllowed = async (): Promise<(request: TrustRequest) => boolean> =>
    isAllAllowed ? () => true : allowing.openAllowedRequests(file, project.home);

  const deniedLinks = async (paths: readonly string[]): Promise<TrustRequest[]> => {
    const links = linkRequests(paths);
    if (links.length === 0) return [];
    const isAllowed = await openAllowed();
    return links.filter((link) => !isAllowed(link));
  };

  /** Only the user's own files may lead to others of them: a project's must not reach what is kept for all projects. */
  const linkRequests = (paths: readonly string[]): TrustRequest[] => {
    const own = paths.filter((path) => isInside(ralphHome, path));
    const others = paths.filter((path) => !own.includes(path));
    const found = [
      ...findLinksOut(others, [project.home, project.root]),
      ...findLinksOut(own, [project.home, project.root, ralphHome]),
    ];
    return found.map(({ name, target }) => ({
      kind: "link",
      name,
      value: target,
      effect: "reads and writes there",
    }));
  };

  /** Whether the project's records come from somebody else. */
  const isForeign = (): Promise<boolean> => {
    isForeignKnown ??= findForeign();
    return isForeignKnown;
  };

  const findForeign = async (): Promise<boolean> => {
    const directory = join(project.home, ".ralph");
    if (directory === ralphHome || !existsSync(directory)) return false;
    if (readTrust(file, project.home).isForeign) return true;
    if (!(await foreign.isForeignStore(directory))) return false;
    // The file itself is made when the memory is opened, which tells the user.
    if (existsSync(file)) await rememberForeign();
    return true;
  };

  /** Without a home that can be written to, it is looked for again. */
  const rememberForeign = () => allowing.saveForeign(file, project.home).catch(() => undefined);

  return {
    file,
    isAllAllowed,
    openAllowed,
    linkRequests,
    deniedLinks,
    isForeign,
    /** Digests of the runs that came with an import. */
    importedRuns: (): ReadonlySet<string> => new Set(readTrust(file, project.home).importedRuns),

    /** The records that came with an import and read like an instruction. */
    importedTexts: (): ReadonlySet<string> => new Set(readTrust(file, project.home).importedTexts),

    /** Whether somebody else made the records, and the user does not obey everything. */
    hasForeignRecords: async (): Promise<boolean> => !isAllAllowed && (await isForeign()),

    /** Links of a memory that lead out of the project, and are not allowed; in the user's own folder all are. */
    deniedLinksOf: async (place: Place): Promise<TrustRequest[]> =>
      place.storeDirectory === ralphHome ? [] : deniedLinks(pathsOf(place)),

    /** Says once what was left out. */
    tell(requests: readonly TrustRequest[]): void {
      const fresh = requests.filter(({ name }) => !told.has(name));
      for (const { name } of fresh) told.add(name);
      if (fresh.length > 0) notify({ kind: "left-out", requests: fresh });
    },

    /** A memory that this user has not used before is adopted, or told to be somebody else's. */
    async noteOpening(directory: string): Promise<void> {
      if (directory === ralphHome || existsSync(file)) return;
      // Before `markKnown`: once the file exists, another process may create the database at any time.
      const isNew = !hasStore(directory);
      if (existsSync(directory)) protectDirectory(directory);
      if (!markKnown(file, project.home) || isNew) return;
      makePrivate(storeFile(directory));
      if (!(await isForeign())) return notify({ kind: "memory-adopted", path: directory });
      await rememberForeign();
      if (!isAllAllowed) notify({ kind: "memory-foreign", path: directory });
    },
  };
}

/** Everything of a memory that is opened by its name. */
export function pathsOf(place: Place): string[] {
  const notes = filesOf(place).flatMap((file) =>
    isInAgentFolder(file) ? [dirname(file.path), file.path] : [file.path],
  );
  return [place.storeDirectory, ...storeFiles(place.storeDirectory), ...notes];
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
