import { isObject } from "../../domain/shape.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { FileMap } from "../file-map.js";
import { RecordFields, unusable } from "../record-fields.js";

/** One iteration, as its files tell it together. */
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

/** Iterations are told in the state, in files of their own, and in files with their analysis and reflection. */
const ownFile = /^iterations\/iteration-0*(\d+)\.json$/;
const analysisFile = /^analysis\/0*(\d+)-analysis\.json$/;
const reflectionFile = /^reflections\/reflection-0*(\d+)\.json$/;

export function iterationsOf(files: FileMap, place: string): Iteration[] {
  const told = new Map<number, Fields>();
  const add = (number: number, fields: Fields) =>
    told.set(number, { ...told.get(number), ...withoutEmpty(fields) });
  const state = Object(files["session-state.json"] ?? files["state.json"]) as Fields;
  const { iterations = [] } = state;
  if (Array.isArray(iterations))
    for (const [index, iteration] of iterations.entries()) {
      if (!isObject(iteration))
        throw unusable(place, `is invalid: iteration ${index + 1} is not a JSON object`);
      add(numberOf(iteration) ?? index + 1, iteration);
    }
  for (const [path, value] of Object.entries(files)) {
    const [own, analysis, reflection] = [ownFile, analysisFile, reflectionFile].map((pattern) => {
      const found = pattern.exec(path)?.[1];
      return found === undefined ? undefined : Number(found);
    });
    if (!isObject(value)) continue;
    if (own !== undefined) add(own, value);
    if (analysis !== undefined) add(analysis, { analysis: value });
    if (reflection !== undefined) add(reflection, { reflection: value });
  }
  return [...told]
    .sort(([one], [other]) => one - other)
    .map(([number, fields]) => toIteration(number, fields, `${place}, iteration ${number}`));
}

function toIteration(number: number, given: Fields, place: string): Iteration {
  const fields = new RecordFields(given, place);
  const analysis = isObject(given.analysis) ? given.analysis : {};
  const status = fields.findText("status") ?? (analysis.progressMade === true ? "completed" : "unknown");
  const reflection = textsIn(given.reflection).join("\n");
  return redactDeep({
    number,
    status,
    isCompleted: status === "completed",
    timestamp:
      fields.findTime("endTime") ??
      fields.findTime("completedAt") ??
      fields.findTime("timestamp") ??
      fields.findTime("startTime"),
    quality: qualityOf(given, analysis),
    errors: [...messages(analysis.errors), ...messages(analysis.error), ...messages(given.error)],
    learnings: messages(given.learnings),
    files: messages(given.filesModified),
    ...(reflection !== "" && { reflection }),
  });
}

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

function numberOf({ number, iteration }: Fields): number | undefined {
  const given = number ?? iteration;
  return typeof given === "number" && Number.isSafeInteger(given) && given > 0 ? given : undefined;
}

function qualityOf(given: Fields, analysis: Fields): number | undefined {
  const quality = given.quality ?? analysis.quality ?? given.quality_score;
  const isFraction = typeof quality === "number" && quality >= 0 && quality <= 1;
  return isFraction ? quality : undefined;
}

/** A text, a list of them, or records with a message. */
function messages(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(messages);
  return isObject(value) ? messages(value.message ?? value.description) : [];
}

/** A reflection has a few sentences under one name or another. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  const told = ["content", "reflection", "observation", "analysis", "learning", "strategy", "summary"];
  return told.flatMap((name) => textsIn(value[name]));
}
