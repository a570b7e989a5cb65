import { counted } from "../../text/counted.js";

/** Says that learnings are not shown because something other than Ralph changed them. */
export function leftOutAsAltered(count: number): string {
  return `${counted(count, "learning")} left out: altered outside Ralph (run "ralph doctor")`;
}
