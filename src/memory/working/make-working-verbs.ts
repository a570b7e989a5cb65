import { lazyModule } from "../../domain/lazy-module.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { ProjectSession } from "../project-session.js";
import { taskNotFound } from "../task-not-found.js";
import type { LookUp } from "../tasks/make-task-verbs.js";
import type { WorkingVerbs } from "./working-verbs.js";

const continuity = lazyModule(() => import("./update-continuity.js"));
const paths = lazyModule(() => import("../../working/continuity-path.js"));
const fields = lazyModule(() => import("../../working/fields.js"));
const ledgers = lazyModule(() => import("../../working/ledger.js"));
const checkpoints = lazyModule(() => import("./checkpoint-ledger.js"));
const inputs = lazyModule(() => import("../../working/handoff.js"));
const creating = lazyModule(() => import("./create-handoff.js"));
const passing = lazyModule(() => import("../../working/handoff-records.js"));
const rendering = lazyModule(() => import("../../working/render-handoff.js"));
const tasks = lazyModule(() => import("../../episodic/tasks/get-task.js"));

export function makeWorkingVerbs(session: ProjectSession, lookUp: LookUp): WorkingVerbs {
  const { root, project, owner, ralphHome, read, write } = session;

  const continuityPath = async (): Promise<string> => {
    const settings = await session.settings();
    return paths.continuityPath(owner === "user" ? ralphHome : project.home, settings["continuity.path"]);
  };

  /** A given task must exist before anything is created. */
  const checkTask = async (id: string | undefined): Promise<void> => {
    if (id === undefined) return;
    await read(
      ({ store }) => tasks.getTask(store, id),
      () => {
        throw taskNotFound(id);
      },
    );
  };

  const getHandoff: WorkingVerbs["getHandoff"] = async (id) => {
    const missing = await passing.handoffNotFound(id);
    return read(
      ({ store }) => passing.getHandoff(store, id),
      () => {
        throw missing;
      },
    );
  };

  return {
    updateContinuity: async (options = {}) =>
      continuity.updateContinuity(session, { path: await continuityPath(), lookUp }, options),
    async showContinuity() {
      const path = await continuityPath();
      return { path, content: await continuity.readContinuity(session, path) };
    },

    async checkpoint(name, checkpoint = {}) {
      const agent = await fields.checkAgent(name);
      const checked = await ledgers.checkCheckpoint(checkpoint);
      await checkTask(checked.taskId);
      return write((shelf) => checkpoints.checkpointLedger(shelf, root, agent, checked));
    },
    async getLedger(name) {
      const notFound = () => {
        throw new RalphError("not-found", `Agent ${name} has no ledger`, {
          hint: `create one with "ralph ledger checkpoint ${name}"`,
        });
      };
      return read(async ({ store }) => {
        const ledger = await store.ledgers.find(name);
        return ledger === undefined ? notFound() : checkpoints.viewLedger(store, root, ledger);
      }, notFound);
    },
    listLedgers: () =>
      read(
        async ({ store }) =>
          Promise.all(
            (await store.ledgers.list()).map((ledger) => checkpoints.viewLedger(store, root, ledger)),
          ),
        () => [],
      ),
    async restoreLedger(raw) {
      const ledger = await ledgers.parseLedger(raw);
      return write(async ({ store }) => {
        await store.ledgers.save(ledger);
        return ledger;
      });
    },

    async createHandoff(input) {
      const checked = await inputs.checkHandoffInput(input);
      await checkTask(checked.taskId);
      await read<unknown>(
        ({ store }) => creating.refuseEmptyHandoff(checked, store),
        () => creating.refuseEmptyHandoff(checked, undefined),
      );
      return write((shelf) => creating.createHandoff(shelf, session, checked));
    },
    listHandoffs: (filter = {}) =>
      read(
        ({ store }) => store.handoffs.list(filter),
        () => [],
      ),
    getHandoff,
    async renderHandoff(id, { hasHeading = true } = {}) {
      const handoff = await getHandoff(id);
      return hasHeading ? rendering.renderHandoff(handoff) : rendering.handoffIntro(handoff);
    },
    async acceptHandoff(id, name) {
      const agent = name === undefined ? undefined : await fields.checkAgent(name);
      if (!(await session.exists())) throw await passing.handoffNotFound(id);
      const takenBy = await session.actor();
      return session.change(({ store, clock }) =>
        store.transaction((tx) =>
          passing.acceptHandoff(tx, id, { agent, takenBy, now: clock().toISOString() }),
        ),
      );
    },
    async restoreHandoff(raw) {
      const handoff = await inputs.parseHandoff(raw);
      return write(({ store }) => store.transaction((tx) => passing.restoreHandoff(tx, handoff)));
    },
  };
}
