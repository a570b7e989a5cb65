import { RalphError } from "./ralph-error.js";

/** Whether something failed because the team's server cannot be reached. */
export function isStoreAway(error: unknown): error is RalphError {
  return error instanceof RalphError && error.code === "store-away";
}
