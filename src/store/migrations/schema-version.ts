/** The version that the newest migration leads to; kept apart, so that opening a database loads no migration. */
export const schemaVersion = 1;
