import {
  extractedTypes,
  isExtractedType,
  type Learning,
  type LearningStats,
  type LearningsDocument,
  type LearningType,
  learningTypes,
  type StagedLearning,
  type StagingDocument,
  stagingStatuses,
} from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject, isText } from "../../domain/shape.js";
import { checksumOf } from "../records/checksum.js";
import { learningProblem } from "../records/learning-problem.js";

/** A different major version is an incompatible format. */
const documentVersion = "1.0.0";

/** The exchange document, and the number of learnings left out because other tools do not know their type. */
export function makeDocument(
  learnings: readonly Learning[],
  lastUpdated: string,
): { document: LearningsDocument; leftOut: number } {
  const known = learnings.filter(({ type }) => isExtractedType(type)).map(inPublishedOrder);
  return {
    document: {
      version: documentVersion,
      checksum: checksumOf(known),
      lastUpdated,
      learnings: known,
      stats: statsOf(known),
    },
    leftOut: learnings.length - known.length,
  };
}

/** Counts by type and task type. */
export function statsOf(learnings: readonly Learning[]): LearningStats {
  return {
    totalLearnings: learnings.length,
    byType: countBy(learnings, ({ type }) => type),
    byTaskType: countBy(learnings, ({ taskType }) => taskType),
  };
}

function countBy(
  learnings: readonly Learning[],
  keyOf: (learning: Learning) => string,
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const learning of learnings) counts.set(keyOf(learning), (counts.get(keyOf(learning)) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Published fields come first in their published order, because the checksum depends on it. */
function inPublishedOrder(learning: Learning): Learning {
  const { id, type, taskType, content, confidence, sourceLoops, ...others } = learning;
  const { createdAt, updatedAt, useCount, successRate, ...extra } = others;
  return {
    ...{ id, type, taskType, content, confidence, sourceLoops },
    ...{ createdAt, updatedAt, useCount, successRate },
    ...extra,
  };
}

type Fields = Record<string, unknown>;

/** The learnings of an exchange document, unknown fields included; throws if anything in it is invalid. */
export function parseImport(text: string): Learning[] {
  const document = parseDocument(text);
  checkVersion(document.version);
  const { learnings } = document;
  if (!Array.isArray(learnings)) throw unusable("has no list of learnings");
  if (typeof document.checksum !== "string") throw unusable("has no checksum");
  if (document.checksum !== checksumOf(learnings)) {
    throw unusable("does not match its checksum: it was edited or damaged after the export");
  }
  return checkLearnings(learnings, learningTypes);
}

/** Checks records that came from elsewhere, by default those that other tools know. */
export function checkLearnings(
  learnings: unknown,
  types: readonly LearningType[] = extractedTypes,
): Learning[] {
  if (!Array.isArray(learnings)) throw unusable("has no list of learnings");
  const checked = learnings.map((value, index) => parseLearning(value, index, types));
  const ids = new Set<string>();
  for (const { id } of checked) {
    if (ids.has(id)) throw unusable(`has two learnings with the id ${id}`);
    ids.add(id);
  }
  return checked;
}

function parseDocument(text: string): Fields {
  const json = text.replace(/^\ufeff/, "").trim();
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    const isCut = json === "" || (json.startsWith("{") && !json.endsWith("}")) || isEarlyEnd(cause);
    throw unusable(isCut ? "is incomplete: the JSON ends too early" : "is not JSON", cause);
  }
  if (!isObject(value)) throw unusable("is not an object");
  return value;
}

function isEarlyEnd(error: unknown): boolean {
  return error instanceof SyntaxError && /end of JSON/i.test(error.message);
}

/** Throws for a format newer than this version can read. */
export function checkVersion(version: unknown): void {
  const [major] = String(version).split(".");
  if (typeof version !== "string" || !/^\d+$/.test(major ?? "")) throw unusable("has no version");
  if (Number(major) <= Number(documentVersion.split(".")[0])) return;
  throw new RalphError(
    "store-too-new",
    `The import has version ${version}; this ralph reads ${documentVersion}`,
    { hint: "update ralph, then import it again" },
  );
}

function parseLearning(value: unknown, index: number, types: readonly LearningType[]): Learning {
  const problem = learningProblem(value, types);
  if (problem === undefined) return value as Learning;
  const id = isObject(value) && isText(value.id) ? value.id : `number ${index + 1}`;
  throw unusable(`contains an invalid learning, ${id}: ${problem}`);
}

function unusable(problem: string, cause?: unknown): RalphError {
  return new RalphError("file-unusable", `The import ${problem}`, {
    hint: "nothing was imported; export it again, or use a backup",
    cause,
  });
}

/** The staging area in the published format. */
export function makeStagingDocument(staged: readonly StagedLearning[]): StagingDocument {
  const times = staged.flatMap(({ stagedAt, validatedAt }) => [stagedAt, validatedAt ?? stagedAt]);
  return {
    version: documentVersion,
    checksum: checksumOf(staged),
    lastUpdated: times.sort().at(-1) ?? new Date(0).toISOString(),
    staged: [...staged],
  };
}

/** Parses the staging area of another tool; throws if anything in it is invalid. */
export function parseStagingDocument(text: string): StagedLearning[] {
  const document = parseStagingObject(text);
  const { staged, checksum } = document;
  if (!Array.isArray(staged)) throw unusableStaging("has no list of staged learnings");
  if (checksum !== checksumOf(staged)) throw unusableStaging("does not match its checksum");
  const wrong = staged.findIndex((entry) => !isStaged(entry));
  if (wrong !== -1) throw unusableStaging(`has an invalid entry, number ${wrong + 1}`);
  return staged as StagedLearning[];
}

function parseStagingObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw unusableStaging("is not valid JSON", cause);
  }
  return isObject(value) ? value : {};
}

function isStaged(value: unknown): boolean {
  if (!isObject(value)) return false;
  const isKnownStatus = (stagingStatuses as readonly unknown[]).includes(value.status);
  const isTimed = typeof value.stagedAt === "string";
  return (
    typeof value.id === "string" && value.id !== "" && isObject(value.learning) && isKnownStatus && isTimed
  );
}

function unusableStaging(problem: string, cause?: unknown): RalphError {
  return new RalphError("file-unusable", `The staging area ${problem}`, { cause });
}
