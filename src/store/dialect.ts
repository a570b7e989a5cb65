/** How a statement names the project whose rows it is about. A database of one project has no column for that. */
export interface ProjectFragments {
  /** First in a list of columns, with its comma. */
  column: string;
  /** First in a list of values, with its comma. */
  value: string;
  /** A condition: the rows of a table, or of its alias, that are the project's. */
  owns(table: string): string;
}

/** What differs between drivers. */
export interface Dialect {
  project: ProjectFragments;
  /** Ends a SELECT whose rows no other transaction may change; empty where a transaction locks the whole database. */
  rowLock: string;
  /**
   * SQL for the server's time, some milliseconds ahead, in the form of all recorded times. Missing where there is one machine:
   * then its own clock counts.
   */
  serverTime?: (aheadMs: number) => string;
}
