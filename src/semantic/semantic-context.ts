import type { Clock } from "../domain/clock.js";
import type { Store } from "../store/store.js";

/** Dependencies of the learning verbs. */
export interface SemanticContext {
  store: Store;
  clock: Clock;
  /** `learn-` and twelve hexadecimal digits. */
  newLearningId(): string;
}
