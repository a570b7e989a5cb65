import type { Clock } from "../domain/clock.js";
import type { Store } from "../store/store.js";
import type { ModelReflector } from "./reflections/model-reflectors.js";
import type { WindowOptions } from "./reflections/reflection-window.js";

/** What ending an attempt needs besides its record. */
export interface EndingContext extends Pick<EpisodicContext, "window" | "root"> {
  now: string;
}

/** What the functions of episodic memory work with. */
export interface EpisodicContext {
  store: Store;
  clock: Clock;
  newUuid(): string;
  /** The person or agent whose actions are recorded, if known. */
  actor?: (() => Promise<string | undefined>) | undefined;
  window: WindowOptions;
  /** Paths are recorded relative to this folder. */
  root: string;
  /** Writes reflections instead of the rules. */
  reflector?: ModelReflector | undefined;
}
