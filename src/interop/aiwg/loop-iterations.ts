import { isObject } from "../../domain/shape.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { RecordFields, unusable } from "../fields.js";
import type { FileMap } from "../file-map.js";

/** One iteration, merged from all files that describe it. */
export interface Iteration {
  number: number;
  status: string;
  isCompleted: boolean;
  timestamp?: string | undefined;
  /** From 0 to 1. */
  quality?: number | undefined;
  errors: string[];
  learnings: string[];
  files: string[];
  reflection?: string | undefined;
}

type Fields = Record<string, unknown>;

/** Iterations are in the state, in their own files, and in files with their analysis and reflection. */
const iterationFiles: readonly [RegExp, (value: Fields) => Fields][] = [
  [/^iterations\/iteration-0*(\d+)\.json$/, (value) => value],
  [/^analysis\/0*(\d+)-analysis\.json$/, (analysis) => ({ analysis })],
  [/^reflections\/reflection-0*(\d+)\.json$/, (reflection) => ({ reflection })],
];

export function iterationsOf(files: FileMap, place: string): Iteration[] {
  const known = new Map<number, Fields>();
  const add = (number: number, fields: Fields) => {
    const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
    known.set(number, { ...known.get(number), ...Object.fromEntries(given) });
  };
  const { iterations = [] } = Object(files["session-state.json"] ?? files["state.json"]) as Fields;
  if (Array.isArray(iterations))
    for (const [index, iteration] of iterations.entries()) {
      if (!isObject(iteration))
        throw unusable(place, `is invalid: iteration ${index + 1} is not a JSON object`);
      add(numberOf(iteration) ?? index + 1, iteration);
    }
  for (const [path, value] of Object.entries(files))
    for (const [pattern, fieldsOf] of iterationFiles) {
      const number = pattern.exec(path)?.[1];
      if (number !== undefined && isObject(value)) add(Number(number), fieldsOf(value));
    }
  return [...known]
    .sort(([one], [other]) => one - other)
    .map(([number, fields]) => toIteration(number, fields, `${place}, iteration ${number}`));
}

function toIteration(number: number, given: Fields, place: string): Iteration {
  const fields = new RecordFields(given, place);
  const analysis = isObject(given.analysis) ? given.analysis : {};
  const status = fields.findText("status") ?? (analysis.progressMade === true ? "completed" : "unknown");
  const reflection = reflectionTexts(given.reflection).join("\n");
  const quality = given.quality ?? analysis.quality ?? given.quality_score;
  const isShare = typeof quality === "number" && quality >= 0 && quality <= 1;
  return redactDeep({
    number,
    status,
    isCompleted: status === "completed",
    timestamp: fields.findTime("endTime", "completedAt", "timestamp", "startTime"),
    quality: isShare ? quality : undefined,
    errors: [analysis.errors, analysis.error, given.error].flatMap(messages),
    learnings: messages(given.learnings),
    files: messages(given.filesModified),
    ...(reflection !== "" && { reflection }),
  });
}

function numberOf({ number, iteration }: Fields): number | undefined {
  const given = number ?? iteration;
  return typeof given === "number" && Number.isSafeInteger(given) && given > 0 ? given : undefined;
}

/** A text, a list of texts, or records with a message. */
function messages(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(messages);
  return isObject(value) ? messages(value.message ?? value.description) : [];
}

const reflectionFields = [
  "content",
  "reflection",
  "observation",
  "analysis",
  "learning",
  "strategy",
  "summary",
];

/** A reflection has a few sentences under varying names. */
function reflectionTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(reflectionTexts);
  return isObject(value) ? reflectionFields.flatMap((name) => reflectionTexts(value[name])) : [];
}
