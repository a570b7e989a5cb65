import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import type { ArgumentSchema, Tool } from "./tool.js";

/**
 * The arguments of a call, checked by the tool's schema. Null counts as absent, and so does a blank text or an empty list where none
 * is required, as models send them for that.
 */
export function checkArguments(tool: Tool, given: unknown): Record<string, unknown> {
  const isBlank = (value: unknown) =>
    typeof value === "string" ? value.trim() === "" : Array.isArray(value) && value.length === 0;
  const checked = Object.entries(isObject(given) ? given : {}).filter(
    ([name, value]) => value !== null && (tool.required.includes(name) || !isBlank(value)),
  );
  const takes = `${tool.name} takes ${Object.keys(tool.arguments).join(", ")}`;
  for (const [name, value] of checked) {
    const schema = Object.hasOwn(tool.arguments, name) ? tool.arguments[name] : undefined;
    if (schema === undefined) throw wrong(`Unknown argument: ${name}`, takes);
    const wanted = complaintOf(schema, value);
    if (wanted !== undefined) throw wrong(`The argument ${name} must be ${wanted}`, takes);
  }
  const missing = tool.required.find((name) => !checked.some(([each]) => each === name));
  if (missing !== undefined) throw wrong(`The argument ${missing} is missing`, takes);
  return Object.fromEntries(checked);
}

/** Refuses what would be ignored because of the other arguments. */
export function takeOnly(taken: readonly string[], given: object, what: string): void {
  const other = Object.keys(given).find((name) => !taken.includes(name));
  if (other !== undefined)
    throw new RalphError("wrong-use", `${what} takes ${taken.join(", ")}, not ${other}`);
}

function wrong(message: string, hint: string): RalphError {
  return new RalphError("wrong-use", message, { hint });
}

/** What a value should have been; undefined if it is that. */
function complaintOf(schema: ArgumentSchema, value: unknown): string | undefined {
  if (schema.type === "string") {
    if (typeof value !== "string") return "a string";
    if (schema.enum !== undefined)
      return schema.enum.includes(value) ? undefined : `one of ${schema.enum.join(", ")}`;
    return value.trim() === "" ? "a string that is not blank" : undefined;
  }
  if (schema.type === "array")
    return Array.isArray(value) && value.every((each) => typeof each === "string")
      ? undefined
      : "a list of strings";
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
    ? undefined
    : `a whole number of ${minimum} or more${schema.maximum === undefined ? "" : `, up to ${maximum}`}`;
}
