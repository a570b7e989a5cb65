import { versions1To4 } from "./versions-1-to-4.js";
import { versions5To18 } from "./versions-5-to-18.js";

/** The statements of one schema change. */
export type Migration = readonly string[];

/** The Nth migration leads to schema version N. Append-only: existing databases have run the earlier ones. */
export const allMigrations: readonly Migration[] = [...versions1To4, ...versions5To18];
