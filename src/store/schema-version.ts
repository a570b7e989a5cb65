/** The version of the newest migration; kept here so that opening a database loads no migrations. */
export const schemaVersion = 18;

/**
 * Raised with every change to derived data: words, redaction, token counts, settings blocks. When a database with another
 * version is opened, its derived tables are emptied and rebuilt from the files.
 */
export const derivationVersion = 12;
