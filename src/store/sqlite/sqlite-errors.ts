import { RalphError } from "../../domain/ralph-error.js";

const primaryCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
};

// Some errors have a message but no code.
const messages: [RegExp, number][] = [
  [/database (?:table )?is locked|database is busy/i, primaryCodes.busy],
  [/disk image is malformed|database corruption|fts5: corruption/i, primaryCodes.corrupt],
  [/not a database/i, primaryCodes.notADatabase],
  [/disk is full/i, primaryCodes.full],
  [/readonly database/i, primaryCodes.readOnly],
  [/unable to open database/i, primaryCodes.cantOpen],
  [/disk I\/O error/i, primaryCodes.ioError],
];

/** Tables or columns that do not fit the version, or a record whose parent is gone: another program changed the database. */
const misfits =
  /no such (?:table|column|index|module)|has no column named|already exists|duplicate column name|FOREIGN KEY constraint failed|malformed database schema/i;

function primaryCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || error instanceof RalphError) return undefined;
  if ("errcode" in error && Number(error.errcode) > 1) return Number(error.errcode) & 0xff;
  return messages.find(([pattern]) => pattern.test(error.message))?.[1];
}

/** Another process holds the write lock, so retrying helps. */
export function isBusy(error: unknown): boolean {
  const code = primaryCodeOf(error);
  return code === primaryCodes.busy || code === primaryCodes.locked;
}

export function isCorrupt(error: unknown): boolean {
  return primaryCodeOf(error) === primaryCodes.corrupt || isNoDatabase(error);
}

/** The file does not even begin like a database. */
function isNoDatabase(error: unknown): boolean {
  return primaryCodeOf(error) === primaryCodes.notADatabase;
}

function isMisfit(error: unknown): boolean {
  return error instanceof Error && !(error instanceof RalphError) && misfits.test(error.message);
}

/** Lets what can be done another time fail while others write. */
export function unlessBusy(error: unknown): undefined {
  if (error instanceof RalphError && error.code === "store-busy") return undefined;
  throw error;
}

/** Turns an SQLite error into one that says what to do. */
export function translateSqliteError(error: unknown, path: string): unknown {
  const code = primaryCodeOf(error) ?? (isMisfit(error) ? primaryCodes.corrupt : undefined);
  if (code === undefined) return error;
  const details = (hint: string) => ({ hint, cause: error });
  if (isBusy(error)) {
    return new RalphError(
      "store-busy",
      `Another process keeps writing to ${path}`,
      details("try again in a moment"),
    );
  }
  if (isCorrupt(error) || isMisfit(error)) {
    return new RalphError(
      "store-damaged",
      `The database is damaged: ${path}`,
      details('run "ralph doctor --repair"; your Markdown files are not affected'),
    );
  }
  if (code === primaryCodes.full) {
    return new RalphError(
      "disk-full",
      `No space left to write ${path}`,
      details("free some space; nothing was changed"),
    );
  }
  if (code === primaryCodes.ioError) {
    return new RalphError(
      "file-unusable",
      `Disk I/O error on ${path}`,
      details("check the disk and its free space"),
    );
  }
  if (code === primaryCodes.readOnly || code === primaryCodes.cantOpen) {
    return new RalphError(
      "file-unusable",
      `The database cannot be opened for writing: ${path}`,
      details("check its owner and mode"),
    );
  }
  return error;
}
