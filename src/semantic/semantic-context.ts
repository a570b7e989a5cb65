import type { Clock } from "../domain/clock.js";
import type { Store } from "../store/store.js";

/** What the verbs of the semantic memory work with. */
export interface SemanticContext {
  store: Store;
  clock: Clock;
  /** `learn-` and twelve hexadecimal digits. */
  newLearningId(): string;
}
