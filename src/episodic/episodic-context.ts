import type { Clock } from "../domain/clock.js";
import type { Store } from "../store/store.js";
import type { ModelReflector } from "./reflections/models/model-reflector.js";
import type { WindowOptions } from "./window/window.js";

/** What an attempt's end needs to know beside the record. */
export interface EndingContext extends Pick<EpisodicContext, "window" | "root"> {
  now: string;
}

/** What the verbs of the episodic memory work with. */
export interface EpisodicContext {
  store: Store;
  clock: Clock;
  newUuid(): string;
  window: WindowOptions;
  /** The folder that paths are told from. */
  root: string;
  /** Writes reflections in the place of the rules. */
  reflector?: ModelReflector | undefined;
}
