import type { Handoff } from "../../domain/working/handoff.js";
import type { Ledger } from "../../domain/working/ledger.js";
import type { HandoffFilter } from "../../store/repositories/working/handoffs.js";
import type { HandoffInput } from "../../working/handoff.js";
import type { Checkpoint } from "../../working/ledger.js";
import type { Shelf } from "../places/shelf.js";
import type { Recall, RecallInput } from "../recall/recall-verbs.js";

/** What can be done with the continuity file, ledgers and handoffs. */
export interface WorkingVerbs {
  /** Writes what is being worked on, and what is known for it, into the managed section. */
  updateContinuity(options?: ContinuityOptions): Promise<UpdatedContinuity>;
  showContinuity(): Promise<ShownContinuity>;

  /** Records where an agent stands. */
  checkpointLedger(agent: string, checkpoint?: Checkpoint): Promise<Ledger>;
  getLedger(agent: string): Promise<LedgerView>;
  /** Newest first. */
  listLedgers(): Promise<LedgerView[]>;
  /** Takes over a ledger as other programs write it. */
  restoreLedger(raw: unknown): Promise<Ledger>;

  /** Passes work on to another agent; what it does not say is filled from the record. */
  createHandoff(input: HandoffInput): Promise<CreatedHandoff>;
  /** Newest first. */
  listHandoffs(filter?: HandoffFilter): Promise<Handoff[]>;
  getHandoff(id: string): Promise<Handoff>;
  /** Takes a handoff over, once; the next attempt of that agent begins with it. */
  acceptHandoff(id: string, agent?: string): Promise<Handoff>;
  /** What waits for an agent to accept it, newest first. */
  pendingHandoffsFor(agent: string): Promise<Handoff[]>;
  /** Takes over a handoff as other programs write it. */
  restoreHandoff(raw: unknown): Promise<Handoff>;
}

export interface ContinuityOptions {
  /** The one that is under way by default. */
  taskId?: string | undefined;
  /** What is being done right now, in the agent's words. */
  note?: string | undefined;
  /** What was recalled for it a moment ago; it is looked up otherwise. */
  recalled?: Pick<Recall, "entries"> | undefined;
}

export interface UpdatedContinuity {
  path: string;
  /** False when the file said all of it already. */
  isChanged: boolean;
  taskId?: string;
}

export interface ShownContinuity {
  path: string;
  /** The whole file; nothing when there is none. */
  content: string | undefined;
}

export interface LedgerView extends Ledger {
  /** Why it no longer tells where the agent stands. */
  stale?: string;
}

export interface CreatedHandoff {
  handoff: Handoff;
  /** Whether the receiver has been seen in this memory. */
  isReceiverKnown: boolean;
}

/** How the verbs reach the store and the files. */
export interface WorkingAccess {
  /** The folder that Git is asked in. */
  root: string;
  /** Where the continuity file is. */
  continuityPath(): Promise<string>;
  /** What matters for a task. */
  lookUp(input: RecallInput): Promise<Recall>;
  recording<Result>(work: (shelf: Shelf) => Promise<Result>): Promise<Result>;
  reading<Result>(work: (shelf: Shelf) => Promise<Result>, otherwise: () => Result): Promise<Result>;
}
