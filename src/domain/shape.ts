/** True for an object that is not a list, as JSON knows them. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
