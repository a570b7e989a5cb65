import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import { findText } from "../read-plain-file.js";

/** The settings of another program, which are only looked at; none if they cannot be read. */
export function findSettings(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(findText(path) ?? "null");
    return isObject(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RalphError) return {};
    throw error;
  }
}
