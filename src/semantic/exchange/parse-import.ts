import {
  extractedTypes,
  type Learning,
  type LearningType,
  learningTypes,
} from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject, isText } from "../../domain/shape.js";
import { checksumOf } from "../integrity/checksum.js";
import { learningProblem } from "../records/learning-problem.js";
import { documentVersion } from "./learnings-document.js";

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
