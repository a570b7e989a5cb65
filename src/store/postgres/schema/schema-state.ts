import { RalphError } from "../../../domain/ralph-error.js";
import { tooNew } from "../../too-new.js";
import { serverVersion } from "./upgrades.js";

/** The table that tells which version of the tables a database has. */
export const versionTable = "ralph_schema";

/** Refuses a database whose tables are not those of this version. */
export function refuseOtherSchema(version: number | undefined, shown: string): void {
  if (version === serverVersion) return;
  if (version === undefined)
    throw new RalphError("store-damaged", `The database has no tables of Ralph: ${shown}`, {
      hint: 'run "ralph store create" with the owner\'s address',
    });
  if (version > serverVersion) throw tooNew(shown, version);
  throw new RalphError(
    "store-too-old",
    `${shown} was made by an older Ralph (schema ${version}, not ${serverVersion})`,
    {
      hint: 'run "ralph store create" with the owner\'s address, which brings it up to date',
    },
  );
}
