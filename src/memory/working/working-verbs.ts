import type { Handoff, Ledger } from "../../domain/working.js";
import type { HandoffFilter } from "../../store/repositories/working/handoffs.js";
import type { HandoffInput } from "../../working/handoff.js";
import type { Checkpoint } from "../../working/ledger.js";
import type { Recall } from "../recall/recall-input.js";

/** `memory.working`: the continuity file, ledgers and handoffs. */
export interface WorkingVerbs {
  /** Writes the current work, and what is known about it, into the managed section of the continuity file. */
  updateContinuity(options?: ContinuityOptions): Promise<UpdatedContinuity>;
  showContinuity(): Promise<ShownContinuity>;

  /** Records the state of an agent's work. */
  checkpoint(agent: string, checkpoint?: Checkpoint): Promise<Ledger>;
  getLedger(agent: string): Promise<LedgerView>;
  /** Newest first. */
  listLedgers(): Promise<LedgerView[]>;
  /** Imports a ledger in its published schema. */
  restoreLedger(raw: unknown): Promise<Ledger>;

  /** Hands work to another agent; missing fields are filled in from the record. */
  createHandoff(input: HandoffInput): Promise<CreatedHandoff>;
  /** Newest first. */
  listHandoffs(filter?: HandoffFilter): Promise<Handoff[]>;
  getHandoff(id: string): Promise<Handoff>;
  /** A handoff as Markdown; without its heading, all of it is fenced. */
  renderHandoff(id: string, options?: { hasHeading?: boolean }): Promise<string>;
  /** Accepts a handoff, once; that agent's next attempt begins with it. */
  acceptHandoff(id: string, agent?: string): Promise<Handoff>;
  /** Imports a handoff in its published schema. */
  restoreHandoff(raw: unknown): Promise<Handoff>;
}

export interface ContinuityOptions {
  /** The current task by default. */
  taskId?: string | undefined;
  /** What is being done right now, in the agent's words. */
  note?: string | undefined;
  /** A recall made a moment ago; otherwise a new one is made. */
  recalled?: Pick<Recall, "entries"> | undefined;
}

export interface UpdatedContinuity {
  path: string;
  /** False if the file was already up to date. */
  isChanged: boolean;
  taskId?: string;
}

export interface ShownContinuity {
  path: string;
  /** The whole file; undefined if there is none. */
  content: string | undefined;
}

export interface LedgerView extends Ledger {
  /** Why it is stale. */
  stale?: string;
}

export interface CreatedHandoff {
  handoff: Handoff;
  /** Whether the receiver has been seen in this memory. */
  isReceiverKnown: boolean;
}
