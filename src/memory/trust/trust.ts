import { join } from "node:path";
import { settingsFileName } from "../../config/paths.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { TrustRequest } from "../../trust/request.js";
import { digestOf, openAllowedRequests, readTrust, updateTrust } from "../../trust/trust-file.js";
import { packageRequests } from "../derived/vectors/embedder-choice.js";
import type { OpenProject } from "../project/open-project.js";
import { pathsOf } from "../project/project-trust.js";
import { isRecordedElsewhere, requestOfImported, runDigest, storedCommands } from "./trust-requests.js";

export interface TrustState extends TrustRequest {
  isAllowed: boolean;
}

/** What the project asks for that Ralph does only with the user's consent. */
export interface TrustVerbs {
  /** All current requests of the project. */
  list(): Promise<TrustState[]>;
  /** Whether the records are foreign: git tracks them, or another user owns them. */
  hasForeignRecords(): Promise<boolean>;
  /** Records the user's consent to these requests; by default to all of the project's. */
  allow(requests?: readonly TrustRequest[]): Promise<void>;
  /** Withdraws all consent; returns whether there was any. */
  withdraw(): Promise<boolean>;
}

export function makeTrustVerbs(session: OpenProject): TrustVerbs {
  const { folders, trust } = session;

  const collect = async (): Promise<TrustRequest[]> => {
    const loaded = await session.loadedSettings({ isTrusted: true });
    const place = await session.place();
    const settingsFiles = [folders.root, folders.home].map((folder) => join(folder, settingsFileName));
    const { foreign } = trust.findStoreFolder();
    const records = foreign && trust.recordsRequest(foreign);
    const requests = [
      ...(records ? [records] : []),
      ...trust.linkRequests([...(foreign ? [foreign] : []), ...pathsOf(place), ...settingsFiles]),
      ...loaded.requested,
      ...[folders.root, folders.home].flatMap((folder) =>
        packageRequests(loaded.settings["embedder.use"], folder),
      ),
      ...(await collectStored()),
      ...(await collectTexts()),
    ];
    return [...new Map(requests.map((request) => [JSON.stringify(request), request])).values()];
  };

  const collectStored = async (): Promise<TrustRequest[]> => {
    const isForeign = trust.isForeign();
    const imported = trust.importedRuns();
    if (!isForeign && imported.size === 0 && (await session.settings())["store.url"] === "") return [];
    try {
      const runs = await session.read(
        ({ store }) => store.runs.listLastOfTasks(),
        () => [],
      );
      return runs
        .filter((run) => isForeign || isRecordedElsewhere(run) || imported.has(runDigest(run)))
        .map(storedCommands);
    } catch (error) {
      // A record that cannot be read cannot be resumed either.
      if (error instanceof RalphError && error.code === "store-away") return [];
      throw error;
    }
  };

  const collectTexts = async (): Promise<TrustRequest[]> => {
    const keys = trust.importedTexts();
    if (keys.size === 0) return [];
    return session.read(
      async ({ store }) => {
        const requests: TrustRequest[] = [];
        for (const key of keys) {
          const request = await requestOfImported(store, key);
          if (request !== undefined) requests.push(request);
        }
        return requests;
      },
      () => [],
    );
  };

  const list: TrustVerbs["list"] = async () => {
    const isAllowed = trust.openAllowed();
    return (await collect()).map((request) => ({ ...request, isAllowed: isAllowed(request) }));
  };

  return {
    list,
    hasForeignRecords: async () => trust.hasForeignRecords(),
    async allow(requests) {
      const isAllowed = openAllowedRequests(trust.file, folders.home);
      const present = await collect();
      const wanted = new Set((requests ?? present).map((request) => JSON.stringify(plain(request))));
      const { foreign } = trust.findStoreFolder();
      const records = present.find(({ kind }) => kind === "records");
      if (foreign && records && wanted.has(JSON.stringify(plain(records))) && !isAllowed(records)) {
        const { copyForeignRecords } = await import("./copy-foreign-records.js");
        await copyForeignRecords(session, foreign);
        updateTrust(trust.file, folders.home, { isForeign: true });
      }
      const allowed = present.filter(
        (request) => wanted.has(JSON.stringify(plain(request))) || isAllowed(request),
      );
      updateTrust(trust.file, folders.home, { allowed: allowed.map(digestOf).sort() });
    },
    async withdraw() {
      const isAny = readTrust(trust.file, folders.home).allowed.length > 0;
      if (isAny) updateTrust(trust.file, folders.home, { allowed: [] });
      return isAny;
    },
  };
}

function plain({ kind, name, value }: TrustRequest): Omit<TrustRequest, "effect"> {
  return { kind, name, value };
}
