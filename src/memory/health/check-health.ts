import { defaultSettings } from "../../config/default-settings.js";
import type { OpenProject } from "../project/open-project.js";
import { filesOf, type Place, projectPlace } from "../project/place.js";
import { checkDatabase } from "./check-database.js";
import { checkEmbedder } from "./check-embedder.js";
import { checkGit } from "./check-git.js";
import { checkIndex } from "./check-index.js";
import { checkLearnings } from "./check-learnings.js";
import { checkMetadata } from "./check-metadata.js";
import { checkNotesFile } from "./check-notes-file.js";
import { checkPermissions } from "./check-permissions.js";
import { checkTasks } from "./check-tasks.js";
import { checkTrust } from "./check-trust.js";
import { describeError, type Finding, ok } from "./finding.js";

export interface HealthCheck extends Finding {
  part: string;
}

export interface Health {
  isHealthy: boolean;
  checks: HealthCheck[];
}

export interface HealthOptions {
  /** Restores a damaged database, and metadata that notes lost. */
  repair?: boolean | undefined;
  /** Looks for secrets in what is stored, or replaces them. */
  secrets?: "find" | "redact" | undefined;
}

/** Checks each part, even if an earlier one failed. */
export async function checkHealth(
  session: OpenProject,
  { repair = false, secrets }: HealthOptions,
): Promise<Health> {
  const { owner } = session;
  const checks: HealthCheck[] = [];
  const examine = async (part: string, look: () => Promise<Finding[]> | Finding[]): Promise<boolean> => {
    const findings = await settle(look);
    checks.push(...findings.map((finding) => ({ part, ...finding })));
    return findings.every((finding) => finding.status !== "failed");
  };
  await examine("project", () => [ok(`${session.home} (${session.kind})`)]);
  const hasSettings = await examine("settings", () => checkSettings(session));
  let found: Place | undefined;
  await examine("database", async () => {
    const canPlace = hasSettings || owner === "user";
    const { "memories.scope": scope } = defaultSettings;
    found = canPlace ? await session.place() : projectPlace(session, scope, session.storeFolder());
    return [];
  });
  const place = found;
  if (place === undefined) return healthOf(checks);
  if (hasSettings) await examine("trust", () => checkTrust(session));
  if (session.trust.deniedLinksOf(place).length > 0) return healthOf(checks);
  const isTeam = hasSettings && (await session.settings())["store.url"] !== "";
  if (isTeam)
    await examine("store", async () => (await import("./check-store.js")).checkStore(session, place));
  const hasDatabase = await examine("database", () => checkDatabase(session, place, repair));
  await examine("notes", () => filesOf(place).flatMap((file) => checkNotesFile(session, file)));
  if (owner === "project" && session.kind === "git")
    await examine("metadata", () => checkMetadata(session, place, { repair: repair && hasDatabase }));
  if (hasDatabase) await examine("index", () => checkIndex(session, place));
  if (hasDatabase) await examine("learnings", () => checkLearnings(session, place, { isTeam }));
  if (hasDatabase) await examine("tasks", () => checkTasks(session, place, { hasSettings, isTeam, repair }));
  if (hasDatabase && hasSettings) await examine("embedder", () => checkEmbedder(session, place));
  if (secrets !== undefined) {
    const { checkSecrets } = await import("./secrets/check-secrets.js");
    await examine("secrets", () => checkSecrets(session, place, { redact: secrets === "redact" }));
  }
  await examine("permissions", () => checkPermissions(place));
  if (owner === "project") await examine("git", () => checkGit(session, place));
  return healthOf(checks);
}

function healthOf(checks: HealthCheck[]): Health {
  return { isHealthy: checks.every((check) => check.status !== "failed"), checks };
}

async function settle(look: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [{ status: "failed", detail: describeError(error) }];
  }
}

async function checkSettings(session: OpenProject): Promise<Finding[]> {
  const { origins, otherBlocks } = await session.loadedSettings();
  const sources = [...new Set(Object.values(origins))].filter((origin) => origin !== "default");
  return [
    ok(sources.length === 0 ? "all defaults" : `from ${sources.join(", ")}`),
    ...otherBlocks.map(({ path, block }) =>
      ok(`${path}: the block "${block}" is not one of Ralph's and is ignored`),
    ),
  ];
}
