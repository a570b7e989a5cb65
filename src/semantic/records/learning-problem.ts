import { type LearningType, learningTypes } from "../../domain/knowledge/learning.js";
import { isObject, isText } from "../../domain/shape.js";
import { suggest } from "../../text/nearest.js";
import { isFraction } from "../learning-limits.js";

type Fields = Record<string, unknown>;

/** What is wrong with a value that should be a learning of one of these types. */
export function learningProblem(
  value: unknown,
  types: readonly LearningType[] = learningTypes,
): string | undefined {
  const learning = isObject(value) ? value : {};
  const { type, confidence, successRate, useCount, sourceLoops, content } = learning;
  const missing = ["id", "type", "taskType", "createdAt", "updatedAt"].filter(
    (name) => !isText(learning[name]),
  );
  if (!isObject(content)) missing.push("content");
  if (missing.length > 0) return `missing ${missing.join(", ")}`;
  if (!types.some((known) => known === type)) {
    return `unknown type "${type}" (${suggest(String(type), types)})`;
  }
  if (!isFraction(confidence)) return "confidence is not between 0 and 1";
  if (!isFraction(successRate)) return "successRate is not between 0 and 1";
  if (!Number.isSafeInteger(useCount) || Number(useCount) < 0) return "useCount is not a whole number";
  if (!Array.isArray(sourceLoops) || !sourceLoops.every(isText)) return "sourceLoops is not a list of ids";
  return contentProblem(content as Fields) ?? detailProblem(learning);
}

const textFields = ["description", "pattern", "why", "prevention", "what_fails"];
const listFields = ["conditions", "source_episodes", "files"];
const timeFields = ["createdAt", "updatedAt", "last_used"];

function contentProblem(content: Fields): string | undefined {
  const wrong = textFields.find((name) => content[name] !== undefined && typeof content[name] !== "string");
  if (wrong !== undefined) return `${wrong} is not a string`;
  return isOptionalList(content.examples) ? undefined : "examples is not a list of strings";
}

function detailProblem(learning: Fields): string | undefined {
  const wrongList = listFields.find((name) => !isOptionalList(learning[name]));
  if (wrongList !== undefined) return `${wrongList} is not a list of strings`;
  const wrongTime = timeFields.find(
    (name) => learning[name] !== undefined && Number.isNaN(Date.parse(String(learning[name]))),
  );
  if (wrongTime !== undefined) return `${wrongTime} is not a timestamp`;
  if (learning.superseded_by !== undefined && !isText(learning.superseded_by))
    return "superseded_by is not an id";
  if (learning.superseded_by === learning.id) return "it is superseded by itself";
  return learning.merged === undefined || isMerged(learning.merged) ? undefined : "invalid merged figures";
}

function isOptionalList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((item) => typeof item === "string"));
}

function isMerged(value: unknown): boolean {
  if (!isObject(value) || !isFraction(value.wordingConfidence)) return false;
  if (!isObject(value.sources) || !isObject(value.uses)) return false;
  return (
    Object.values(value.uses).every(isCount) &&
    Object.values(value.sources).every(
      (source) =>
        isObject(source) &&
        isFraction(source.confidence) &&
        isFraction(source.successRate) &&
        isCount(source.count) &&
        isWays(source.ways ?? {}),
    )
  );
}

function isWays(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.values(value).every(
      (way) => isObject(way) && isCount(way.cases) && typeof way.example === "string",
    )
  );
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
