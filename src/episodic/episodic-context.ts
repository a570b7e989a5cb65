import type { Clock } from "../domain/clock.js";
import type { Store } from "../store/store.js";
import type { ModelReflector } from "./reflectors/model-reflector.js";
import type { WindowOptions } from "./window.js";

/** What the verbs of the episodic memory work with. */
export interface EpisodicContext {
  store: Store;
  clock: Clock;
  newUuid(): string;
  window: WindowOptions;
  /** Writes reflections in the place of the rules. */
  reflector?: ModelReflector | undefined;
}
