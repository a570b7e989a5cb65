/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a non-empty string. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
