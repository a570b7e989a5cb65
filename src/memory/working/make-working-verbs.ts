import { RalphError } from "../../domain/ralph-error.js";
import { readFileSnapshot } from "../../files/read-file.js";
import { taskNotFound } from "../tasks/task-not-found.js";
import type { WorkingAccess, WorkingVerbs } from "./working-verbs.js";

/** The verbs of the working memory; each loads its code when it is called. */
export function makeWorkingVerbs(access: WorkingAccess): WorkingVerbs {
  const { root, recording, reading } = access;
  const fields = () => import("../../working/fields.js");
  const passing = () => import("../../working/pass-on-handoff.js");
  const ledgers = () => import("./checkpoint-ledger.js");

  /** Before anything is made: a task that is named must be there. */
  const checkTask = async (id: string | undefined): Promise<void> => {
    if (id === undefined) return;
    const { getTask } = await import("../../episodic/tasks/get-task.js");
    await reading(
      ({ store }) => getTask(store, id),
      () => {
        throw taskNotFound(id);
      },
    );
  };

  return {
    async updateContinuity(options = {}) {
      const { updateContinuity } = await import("./update-continuity.js");
      return updateContinuity(access, options);
    },
    async showContinuity() {
      const path = await access.continuityPath();
      return { path, content: readFileSnapshot(path).bytes?.toString("utf8") };
    },

    async checkpointLedger(name, checkpoint = {}) {
      const { checkAgent } = await fields();
      const { checkCheckpoint } = await import("../../working/ledger.js");
      const agent = checkAgent(name);
      const checked = checkCheckpoint(checkpoint);
      await checkTask(checked.taskId);
      return recording(async (shelf) => (await ledgers()).checkpointLedger(shelf, root, agent, checked));
    },
    async getLedger(name) {
      const notFound = () => {
        throw new RalphError("not-found", `Agent ${name} has no ledger`, {
          hint: `"ralph ledger checkpoint ${name}" makes one`,
        });
      };
      return reading(async ({ store }) => {
        const ledger = await store.ledgers.find(name);
        return ledger === undefined ? notFound() : (await ledgers()).viewLedger(store, root, ledger);
      }, notFound);
    },
    listLedgers: () =>
      reading(
        async ({ store }) => {
          const { viewLedger } = await ledgers();
          return Promise.all((await store.ledgers.list()).map((ledger) => viewLedger(store, root, ledger)));
        },
        () => [],
      ),
    async restoreLedger(raw) {
      const { parseLedger } = await import("../../working/ledger.js");
      const ledger = parseLedger(raw);
      return recording(async ({ store }) => {
        await store.ledgers.save(ledger);
        return ledger;
      });
    },

    async createHandoff(input) {
      const { checkHandoffInput } = await import("../../working/handoff.js");
      const checked = checkHandoffInput(input);
      await checkTask(checked.taskId);
      const { createHandoff, refuseEmptyHandoff } = await import("./create-handoff.js");
      await reading(
        ({ store }) => refuseEmptyHandoff(checked, store),
        () => refuseEmptyHandoff(checked, undefined),
      );
      return recording((shelf) => createHandoff(shelf, root, checked));
    },
    listHandoffs: (filter = {}) =>
      reading(
        ({ store }) => store.handoffs.list(filter),
        () => [],
      ),
    async getHandoff(id) {
      const { getHandoff, handoffNotFound } = await passing();
      return reading(
        ({ store }) => getHandoff(store, id),
        () => {
          throw handoffNotFound(id);
        },
      );
    },
    async acceptHandoff(id, name) {
      const { acceptHandoff, handoffNotFound } = await passing();
      const agent = name === undefined ? undefined : (await fields()).checkAgent(name);
      const isThere = await reading(
        async () => true,
        () => false,
      );
      if (!isThere) throw handoffNotFound(id);
      return recording(({ store, clock }) =>
        store.transaction((tx) => acceptHandoff(tx, id, { agent, now: clock().toISOString() })),
      );
    },
    pendingHandoffsFor: (agent) =>
      reading(
        ({ store }) => store.handoffs.list({ to: agent, isPending: true }),
        () => [],
      ),
    async restoreHandoff(raw) {
      const { parseHandoff } = await import("../../working/handoff.js");
      const handoff = parseHandoff(raw);
      const { restoreHandoff } = await passing();
      return recording(({ store }) => store.transaction((tx) => restoreHandoff(tx, handoff)));
    },
  };
}
