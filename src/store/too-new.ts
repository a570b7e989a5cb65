import { RalphError } from "../domain/ralph-error.js";
import { schemaVersion } from "./schema-version.js";

/** The error about a database that a newer Ralph has changed. */
export function tooNew(place: string, schema: number): RalphError {
  const message = `${place} was made by a newer Ralph (schema ${schema}; this version supports up to ${schemaVersion})`;
  return new RalphError("store-too-new", message, { hint: 'update with "npm install -g ralph-memory"' });
}
