/** The history of one loop, as runners write it down and learnings are extracted from it. */
export interface LoopState {
  loopId: string;
  objective: string;
  status: string;
  /** How many iterations there were; the number of `iterations` when left out. */
  currentIteration?: number;
  iterations: LoopIteration[];
}

export interface LoopIteration {
  number?: number;
  /** `completed`, `failed`, or another word that counts as neither. */
  status: string;
  /** Milliseconds. */
  duration?: number;
  analysis?: { progressMade?: boolean; errors?: string[] };
  learnings?: string[];
  filesModified?: string[];
}
