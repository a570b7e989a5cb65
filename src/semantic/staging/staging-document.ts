import {
  type StagedLearning,
  type StagingDocument,
  stagingStatuses,
} from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import { documentVersion } from "../exchange/learnings-document.js";
import { checksumOf } from "../integrity/checksum.js";

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
  const document = parseObject(text);
  const { staged, checksum } = document;
  if (!Array.isArray(staged)) throw unusable("has no list of staged learnings");
  if (checksum !== checksumOf(staged)) throw unusable("does not match its checksum");
  const wrong = staged.findIndex((entry) => !isStaged(entry));
  if (wrong !== -1) throw unusable(`has an invalid entry, number ${wrong + 1}`);
  return staged as StagedLearning[];
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw unusable("is not valid JSON", cause);
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

function unusable(problem: string, cause?: unknown): RalphError {
  return new RalphError("file-unusable", `The staging area ${problem}`, { cause });
}
