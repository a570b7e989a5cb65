import { RalphError } from "../../domain/ralph-error.js";
import type { Handoff, Ledger } from "../../domain/working.js";
import { getTask } from "../../episodic/tasks/get-task.js";
import type { HandoffFilter } from "../../store/repositories/working.js";
import { continuityPath as resolveContinuityPath } from "../../working/continuity-file.js";
import { checkAgent } from "../../working/fields.js";
import {
  acceptHandoff,
  checkHandoffInput,
  getHandoff,
  type HandoffInput,
  handoffIntro,
  handoffNotFound,
  parseHandoff,
  renderHandoff,
  restoreHandoff,
} from "../../working/handoff.js";
import { type Checkpoint, checkCheckpoint, parseLedger } from "../../working/ledger.js";
import type { OpenProject } from "../project/open-project.js";
import { taskNotFound } from "../task-not-found.js";
import {
  type ContinuityOptions,
  readContinuity,
  type UpdatedContinuity,
  updateContinuity,
} from "./continuity.js";
import { type CreatedHandoff, createHandoff, refuseEmptyHandoff } from "./handoffs.js";
import { checkpointLedger, type LedgerView, viewLedger } from "./ledgers.js";

/** `memory.working`: the continuity file, ledgers and handoffs. */
export interface WorkingVerbs {
  /** Writes the current work, with what is known about it, into the managed section of the continuity file. */
  updateContinuity(options?: ContinuityOptions): Promise<UpdatedContinuity>;
  showContinuity(): Promise<ShownContinuity>;

  /** Records the state of an agent's work. */
  checkpoint(agent: string, checkpoint?: Checkpoint): Promise<Ledger>;
  getLedger(agent: string): Promise<LedgerView>;
  /** Newest first. */
  listLedgers(): Promise<LedgerView[]>;
  /** Imports a ledger in its published schema. */
  restoreLedger(raw: unknown): Promise<Ledger>;

  /** Hands work over to another agent; missing fields are filled in from the records. */
  createHandoff(input: HandoffInput): Promise<CreatedHandoff>;
  /** Newest first. */
  listHandoffs(filter?: HandoffFilter): Promise<Handoff[]>;
  getHandoff(id: string): Promise<Handoff>;
  /** A handoff as Markdown; without its heading, all of it is fenced. */
  renderHandoff(id: string, options?: { hasHeading?: boolean }): Promise<string>;
  /** Accepts a handoff, once; that agent's next attempt starts with it. */
  acceptHandoff(id: string, agent?: string): Promise<Handoff>;
  /** Imports a handoff in its published schema. */
  restoreHandoff(raw: unknown): Promise<Handoff>;
}

export interface ShownContinuity {
  path: string;
  /** The whole file; undefined if it does not exist. */
  content: string | undefined;
}

export function makeWorkingVerbs(session: OpenProject): WorkingVerbs {
  const { root, home, owner, ralphHome, read, write } = session;

  const continuityPath = async (): Promise<string> => {
    const settings = await session.settings();
    return resolveContinuityPath(owner === "user" ? ralphHome : home, settings["continuity.path"]);
  };

  /** A given task must exist before anything is created. */
  const checkTask = async (id: string | undefined): Promise<void> => {
    if (id === undefined) return;
    await read(
      ({ store }) => getTask(store, id),
      () => {
        throw taskNotFound(id);
      },
    );
  };

  const readHandoff = (id: string): Promise<Handoff> =>
    read(
      ({ store }) => getHandoff(store, id),
      () => {
        throw handoffNotFound(id);
      },
    );

  return {
    updateContinuity: async (options = {}) => updateContinuity(session, await continuityPath(), options),
    async showContinuity() {
      const path = await continuityPath();
      return { path, content: readContinuity(path) };
    },

    async checkpoint(name, checkpoint = {}) {
      const agent = checkAgent(name);
      const checked = checkCheckpoint(checkpoint);
      await checkTask(checked.taskId);
      return write((context) => checkpointLedger(context, root, agent, checked));
    },
    async getLedger(name) {
      const notFound = () => {
        throw new RalphError("not-found", `Agent ${name} has no ledger`, {
          hint: `create one with "ralph ledger checkpoint ${name}"`,
        });
      };
      return read(async ({ store }) => {
        const ledger = await store.ledgers.find(name);
        return ledger === undefined ? notFound() : viewLedger(store, root, ledger);
      }, notFound);
    },
    listLedgers: () =>
      read(
        async ({ store }) =>
          Promise.all((await store.ledgers.list()).map((ledger) => viewLedger(store, root, ledger))),
        () => [],
      ),
    async restoreLedger(raw) {
      const ledger = parseLedger(raw);
      return write(async ({ store }) => {
        await store.ledgers.save(ledger);
        return ledger;
      });
    },

    async createHandoff(input) {
      const checked = checkHandoffInput(input);
      await checkTask(checked.taskId);
      await read<unknown>(
        ({ store }) => refuseEmptyHandoff(checked, store),
        () => refuseEmptyHandoff(checked, undefined),
      );
      return write((context) => createHandoff(context, session, checked));
    },
    listHandoffs: (filter = {}) =>
      read(
        ({ store }) => store.handoffs.list(filter),
        () => [],
      ),
    getHandoff: readHandoff,
    async renderHandoff(id, { hasHeading = true } = {}) {
      const handoff = await readHandoff(id);
      return hasHeading ? renderHandoff(handoff) : handoffIntro(handoff);
    },
    async acceptHandoff(id, name) {
      const agent = name === undefined ? undefined : checkAgent(name);
      if (!(await session.exists())) throw handoffNotFound(id);
      const takenBy = await session.actor();
      return session.change(({ store, clock }) =>
        store.transaction((tx) => acceptHandoff(tx, id, { agent, takenBy, now: clock().toISOString() })),
      );
    },
    async restoreHandoff(raw) {
      const handoff = parseHandoff(raw);
      return write(({ store }) => store.transaction((tx) => restoreHandoff(tx, handoff)));
    },
  };
}
