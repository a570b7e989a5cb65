import { isObject } from "../../domain/shape.js";

/** The text of a field, or an empty string. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A number of tokens or dollars; 0 when missing. */
export function amountOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

export function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Message content: a text, or a list of blocks, some of them text. */
export function contentText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return value === undefined || value === null ? "" : JSON.stringify(value);
  return listOf(value)
    .map((block) => (typeof block.text === "string" ? block.text : `[${textOf(block.type) || "block"}]`))
    .join("\n");
}
