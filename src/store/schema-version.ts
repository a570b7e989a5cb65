/** The version that the newest migration leads to; kept apart, so that opening a database loads no migration. */
export const schemaVersion = 8;

/**
 * Raised with every change in what is derived: words, redaction, token counts, the blocks of settings. A database whose
 * derived part is of another version is emptied of it when it is opened, and filled again from the files.
 */
export const derivationVersion = 9;
