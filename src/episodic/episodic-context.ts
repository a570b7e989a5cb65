import type { Clock } from "../domain/clock.js";
import type { Store } from "../store/store.js";

/** What the verbs of the episodic memory work with. */
export interface EpisodicContext {
  store: Store;
  clock: Clock;
  newUuid(): string;
}
