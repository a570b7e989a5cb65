/** The history of one loop, as runners record it; learnings are extracted from it. */
export interface LoopState {
  loopId: string;
  objective: string;
  status: string;
  /** Number of iterations; defaults to the length of `iterations`. */
  currentIteration?: number;
  iterations: LoopIteration[];
}

export interface LoopIteration {
  number?: number;
  /** `completed`, `failed`, or any other word, which counts as neither. */
  status: string;
  /** Milliseconds. */
  duration?: number;
  analysis?: { progressMade?: boolean; errors?: string[] };
  learnings?: string[];
  filesModified?: string[];
}
