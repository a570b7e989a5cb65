import {
  extractedTypes,
  type Learning,
  type LearningType,
  learningTypes,
} from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject, isText } from "../../domain/shape.js";
import { suggest } from "../../text/nearest.js";
import { isShare } from "../staging/validate-learning.js";
import { checksumOf } from "./checksum.js";
import { documentVersion } from "./render-export.js";

type Fields = Record<string, unknown>;

/** The learnings of an exchange document, with every field they came with; refuses the whole of it if anything is wrong. */
export function parseImport(text: string): Learning[] {
  const document = parseDocument(text);
  checkVersion(document.version);
  const { learnings } = document;
  if (!Array.isArray(learnings)) throw unusable("has no list of learnings");
  if (typeof document.checksum !== "string") throw unusable("has no checksum");
  if (document.checksum !== checksumOf(learnings)) {
    throw unusable("does not match its checksum: it was changed or damaged after it was written");
  }
  return checkLearnings(learnings);
}

/** Records that came from elsewhere, unless one of them is wrong. */
export function checkLearnings(learnings: unknown): Learning[] {
  if (!Array.isArray(learnings)) throw unusable("has no list of learnings");
  const checked = learnings.map((value, index) => parseLearning(value, index));
  const ids = new Set<string>();
  for (const { id } of checked) {
    if (ids.has(id)) throw unusable(`has two learnings with the id ${id}`);
    ids.add(id);
  }
  return checked;
}

/** The same for records of this store, which may be of any type. */
export function checkOwnLearnings(learnings: readonly unknown[]): Learning[] {
  return learnings.map((value, index) => parseLearning(value, index, learningTypes));
}

function parseDocument(text: string): Fields {
  const json = text.replace(/^\ufeff/, "").trim();
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    const isCut = json === "" || (json.startsWith("{") && !json.endsWith("}")) || isEarlyEnd(cause);
    throw unusable(isCut ? "is not whole: the JSON ends too early" : "is not JSON", cause);
  }
  if (!isObject(value)) throw unusable("is not an object");
  return value;
}

function isEarlyEnd(error: unknown): boolean {
  return error instanceof SyntaxError && /end of JSON/i.test(error.message);
}

/** Refuses a document whose form is newer than what is known here. */
export function checkVersion(version: unknown): void {
  const [major] = String(version).split(".");
  if (typeof version !== "string" || !/^\d+$/.test(major ?? "")) throw unusable("has no version");
  if (Number(major) <= Number(documentVersion.split(".")[0])) return;
  throw new RalphError(
    "store-too-new",
    `The import has version ${version}, and only ${documentVersion} is known here`,
    { hint: "update ralph, then import it again" },
  );
}

function parseLearning(
  value: unknown,
  index: number,
  types: readonly LearningType[] = extractedTypes,
): Learning {
  const learning = isObject(value) ? value : {};
  const problem = problemWith(learning, types);
  if (problem === undefined) return learning as unknown as Learning;
  const which = isText(learning.id) ? learning.id : `number ${index + 1}`;
  throw unusable(`has a learning, ${which}, ${problem}`);
}

function problemWith(learning: Fields, types: readonly LearningType[]): string | undefined {
  const { type, confidence, successRate, useCount, sourceLoops, content } = learning;
  const missing = ["id", "type", "taskType", "createdAt", "updatedAt"].filter(
    (name) => !isText(learning[name]),
  );
  if (!isObject(content)) missing.push("content");
  if (missing.length > 0) return `without ${missing.join(", ")}`;
  if (!types.some((known) => known === type)) {
    return `of the unknown type "${type}" (${suggest(String(type), types)})`;
  }
  if (!isShare(confidence)) return "whose confidence is not between 0 and 1";
  if (!isShare(successRate)) return "whose success rate is not between 0 and 1";
  if (!Number.isSafeInteger(useCount) || Number(useCount) < 0) return "whose use count is not a whole number";
  if (!Array.isArray(sourceLoops) || !sourceLoops.every(isText))
    return "whose source loops are not a list of ids";
  return problemWithDetails(learning);
}

const textFields = ["description", "pattern", "why", "prevention", "what_fails"];
const listFields = ["conditions", "source_episodes", "files"];

function problemWithDetails(learning: Fields): string | undefined {
  const content = learning.content as Fields;
  const isTextOrNone = (value: unknown) => value === undefined || typeof value === "string";
  const isListOrNone = (value: unknown) =>
    value === undefined || (Array.isArray(value) && value.every((item) => typeof item === "string"));
  const wrongText = textFields.find((name) => !isTextOrNone(content[name]));
  if (wrongText !== undefined) return `whose ${wrongText} is not a text`;
  if (!isListOrNone(content.examples)) return "whose examples are not a list of texts";
  const wrongList = listFields.find((name) => !isListOrNone(learning[name]));
  if (wrongList !== undefined) return `whose ${wrongList} is not a list of texts`;
  const wrongTime = ["createdAt", "updatedAt", "last_used"].find(
    (name) => learning[name] !== undefined && Number.isNaN(Date.parse(String(learning[name]))),
  );
  if (wrongTime !== undefined) return `whose ${wrongTime} is not a time`;
  if (learning.superseded_by !== undefined && !isText(learning.superseded_by)) return "superseded by no id";
  if (learning.superseded_by === learning.id) return "that is superseded by itself";
  return learning.merged === undefined || isMerged(learning.merged)
    ? undefined
    : "whose merged figures are wrong";
}

function isMerged(value: unknown): boolean {
  if (!isObject(value) || !isShare(value.wordingConfidence)) return false;
  if (!isObject(value.sources) || !isObject(value.uses)) return false;
  const isCount = (count: unknown) => typeof count === "number" && Number.isFinite(count) && count >= 0;
  return (
    Object.values(value.uses).every(isCount) &&
    Object.values(value.sources).every(
      (source) =>
        isObject(source) &&
        isShare(source.confidence) &&
        isShare(source.successRate) &&
        isCount(source.count),
    )
  );
}

function unusable(problem: string, cause?: unknown): RalphError {
  return new RalphError("file-unusable", `The import ${problem}`, {
    hint: "nothing was imported; export it again, or take a backup",
    cause,
  });
}
