import { RalphError } from "../domain/ralph-error.js";

/** The version of the newest migration; kept here so that opening a database loads no migrations. */
export const schemaVersion = 18;

/**
 * Raised with every change to derived data: words, redaction, token counts, settings blocks. When a database with another
 * version is opened, its derived tables are emptied and rebuilt from the files.
 */
export const derivationVersion = 12;

/** The error about a database that a newer Ralph has changed. */
export function tooNew(place: string, schema: number): RalphError {
  const message = `${place} was made by a newer Ralph (schema ${schema}; this version supports up to ${schemaVersion})`;
  return new RalphError("store-too-new", message, { hint: 'update with "npm install -g ralph-memory"' });
}
