import { defaultSettings } from "../../config/default-settings.js";
import type { OpenProject } from "../project/open-project.js";
import { filesOf, type Place, projectPlace } from "../project/place.js";
import { checkDatabase } from "./check-database.js";
import { checkIndex, checkMetadata, checkNotesFile } from "./check-notes.js";
import { checkEmbedder, checkGit, checkPermissions, checkTrust } from "./check-project.js";
import { checkLearnings, checkStore, checkTasks } from "./check-records.js";
import { checkSecrets } from "./check-secrets.js";
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

/** What checks look at, and what earlier ones have found out. */
interface Examined {
  project: OpenProject;
  place: Place;
  hasSettings: boolean;
  hasDatabase: boolean;
  isTeam: boolean;
  repair: boolean;
  secrets: HealthOptions["secrets"];
}

interface Check {
  part: string;
  isWanted?(examined: Examined): boolean;
  run(examined: Examined): Promise<Finding[]> | Finding[];
}

const hasDatabase = (examined: Examined) => examined.hasDatabase;

const checks: readonly Check[] = [
  {
    part: "store",
    isWanted: ({ isTeam }) => isTeam,
    run: ({ project, place }) => checkStore(project, place),
  },
  {
    part: "database",
    async run(examined) {
      const findings = await settle(() => checkDatabase(examined.project, examined.place, examined.repair));
      examined.hasDatabase = !findings.some(isFailure);
      return findings;
    },
  },
  {
    part: "notes",
    run: ({ project, place }) => filesOf(place).flatMap((file) => checkNotesFile(project, file)),
  },
  {
    part: "metadata",
    isWanted: ({ project }) => project.owner === "project" && project.kind === "git",
    run: ({ project, place, repair, hasDatabase }) =>
      checkMetadata(project, place, { repair: repair && hasDatabase }),
  },
  { part: "index", isWanted: hasDatabase, run: ({ project, place }) => checkIndex(project, place) },
  {
    part: "learnings",
    isWanted: hasDatabase,
    run: ({ project, place, isTeam }) => checkLearnings(project, place, { isTeam }),
  },
  {
    part: "tasks",
    isWanted: hasDatabase,
    run: ({ project, place, ...options }) => checkTasks(project, place, options),
  },
  {
    part: "embedder",
    isWanted: ({ hasDatabase, hasSettings }) => hasDatabase && hasSettings,
    run: ({ project, place }) => checkEmbedder(project, place),
  },
  {
    part: "secrets",
    isWanted: ({ secrets }) => secrets !== undefined,
    run: ({ project, place, secrets }) => checkSecrets(project, place, { redact: secrets === "redact" }),
  },
  { part: "permissions", run: ({ place }) => checkPermissions(place) },
  {
    part: "git",
    isWanted: ({ project }) => project.owner === "project",
    run: ({ project, place }) => checkGit(project, place),
  },
];

/** Checks each part, even if an earlier one failed. */
export async function checkHealth(
  project: OpenProject,
  { repair = false, secrets }: HealthOptions,
): Promise<Health> {
  const found: HealthCheck[] = [];
  const add = (part: string, findings: readonly Finding[]) =>
    found.push(...findings.map((finding) => ({ part, ...finding })));
  const health = (): Health => ({ isHealthy: !found.some(isFailure), checks: found });

  add("project", [ok(`${project.home} (${project.kind})`)]);
  const settings = await settle(() => checkSettings(project));
  add("settings", settings);
  const hasSettings = !settings.some(isFailure);
  const place = await placeOf(project, hasSettings).catch((error: unknown) => {
    add("database", [{ status: "failed", detail: describeError(error) }]);
    return undefined;
  });
  if (place === undefined) return health();
  if (hasSettings) add("trust", await settle(() => checkTrust(project)));
  if (project.trust.deniedLinksOf(place).length > 0) return health();
  const isTeam = hasSettings && (await project.settings())["store.url"] !== "";
  const examined = { project, place, hasSettings, hasDatabase: false, isTeam, repair, secrets };
  for (const { part, isWanted, run } of checks)
    if (isWanted?.(examined) !== false) add(part, await settle(() => run(examined)));
  return health();
}

async function placeOf(project: OpenProject, hasSettings: boolean): Promise<Place> {
  if (hasSettings || project.owner === "user") return project.place();
  return projectPlace(project, defaultSettings["memories.scope"], project.storeFolder());
}

function isFailure({ status }: Finding): boolean {
  return status === "failed";
}

async function settle(look: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [{ status: "failed", detail: describeError(error) }];
  }
}

async function checkSettings(project: OpenProject): Promise<Finding[]> {
  const { origins, otherBlocks } = await project.loadedSettings();
  const sources = [...new Set(Object.values(origins))].filter((origin) => origin !== "default");
  return [
    ok(sources.length === 0 ? "all defaults" : `from ${sources.join(", ")}`),
    ...otherBlocks.map(({ path, block }) =>
      ok(`${path}: the block "${block}" is not one of Ralph's and is ignored`),
    ),
  ];
}
