import { isObject } from "../../domain/shape.js";
import { clipDeep } from "../../text/secrets/clip-output.js";

const maxDepth = 20;
/** Names of the file path in other agents. */
const pathNames = ["filePath", "absolute_path", "target_file"];

/** Names in opencode of what an edit replaces and of a patch. */
const otherNames = new Map([
  ["oldString", "old_string"],
  ["newString", "new_string"],
  ["patchText", "patch"],
]);

/** A tool's parameters with long texts clipped, depth limited, and what an edit is about under one name. */
export function toolParams(value: unknown): Record<string, unknown> {
  if (!isObject(value)) return value === undefined || value === null ? {} : { value: shallow(value) };
  const clipped = Object.entries(clipDeep(shallow(value)) as Record<string, unknown>);
  const params = Object.fromEntries(clipped.map(([name, field]) => [otherNames.get(name) ?? name, field]));
  const path = pathNames.map((name) => params[name]).find((each) => typeof each === "string");
  return path === undefined || params.file_path !== undefined ? params : { file_path: path, ...params };
}

function shallow(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => shallow(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shallow(field, depth + 1)]));
}
