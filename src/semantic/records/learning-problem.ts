import { type LearningType, learningTypes } from "../../domain/knowledge/learning.js";
import { isObject, isText } from "../../domain/shape.js";
import { suggest } from "../../text/nearest.js";
import { isFraction } from "../learning-limits.js";

type Fields = Record<string, unknown>;
type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === "string";
const isStrings: Check = (value) => Array.isArray(value) && value.every(isString);
const isTime: Check = (value) => !Number.isNaN(Date.parse(String(value)));
const isCount: Check = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;

/** Fields that may be absent: how each is checked, and what is wrong if the check fails. */
const contentFields: readonly (readonly [names: string, check: Check, problem: string])[] = [
  ["description pattern why prevention what_fails", isString, "is not a string"],
  ["examples", isStrings, "is not a list of strings"],
];
const recordFields: typeof contentFields = [
  ["conditions source_episodes files", isStrings, "is not a list of strings"],
  ["createdAt updatedAt last_used", isTime, "is not a timestamp"],
  ["superseded_by", isText, "is not an id"],
  ["merged", isMerged, "does not hold valid figures"],
];

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
  if (missing.length > 0 || !isObject(content)) return `missing ${missing.join(", ")}`;
  if (!types.some((known) => known === type))
    return `unknown type "${type}" (${suggest(String(type), types)})`;
  if (!isFraction(confidence)) return "confidence is not between 0 and 1";
  if (!isFraction(successRate)) return "successRate is not between 0 and 1";
  if (!Number.isSafeInteger(useCount) || Number(useCount) < 0) return "useCount is not a whole number";
  if (!Array.isArray(sourceLoops) || !sourceLoops.every(isText)) return "sourceLoops is not a list of ids";
  if (learning.superseded_by === learning.id) return "it is superseded by itself";
  return wrongField(content, contentFields) ?? wrongField(learning, recordFields);
}

function wrongField(fields: Fields, checks: typeof contentFields): string | undefined {
  for (const [names, check, problem] of checks) {
    const wrong = names.split(" ").find((name) => fields[name] !== undefined && !check(fields[name]));
    if (wrong !== undefined) return `${wrong} ${problem}`;
  }
  return undefined;
}

function isMerged(value: unknown): boolean {
  if (!isObject(value) || !isFraction(value.wordingConfidence)) return false;
  if (!isObject(value.sources) || !isObject(value.uses)) return false;
  return Object.values(value.uses).every(isCount) && Object.values(value.sources).every(isSource);
}

function isSource(source: unknown): boolean {
  if (!isObject(source) || !isCount(source.count)) return false;
  if (!isFraction(source.confidence) || !isFraction(source.successRate)) return false;
  const ways = source.ways ?? {};
  return (
    isObject(ways) &&
    Object.values(ways).every((way) => isObject(way) && isCount(way.cases) && isString(way.example))
  );
}
