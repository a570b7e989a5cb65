import { lazyModule } from "../domain/lazy-module.js";
import { uuidStartOf } from "../domain/tasks/task.js";
import { embedPending } from "./embed-pending.js";
import type { LearningVerbs } from "./learnings/learning-verbs.js";
import type { LinkVerbs } from "./links/link-verbs.js";
import type { Memory } from "./memory.js";
import { type OpenMemoryOptions, type OpenProject, openProject } from "./project/open-project.js";
import { keepProject } from "./project-of.js";
import type { Recall, RecallInput } from "./recall/recall-input.js";
import type { RecordVerbs } from "./records/record-verbs.js";
import type { TeamVerbs } from "./team/team-verbs.js";
import type { TrustVerbs } from "./trust/trust.js";

const recalling = lazyModule(() => import("./recall/look-up.js"));
const recording = lazyModule(() => import("./tasks/brief/record-recall.js"));
const metrics = lazyModule(() => import("../recall/metrics/measure-impact.js"));
const metricsOverTime = lazyModule(() => import("../recall/metrics/impact-over-time.js"));
const initialising = lazyModule(() => import("./notes/init-notes.js"));
const index = lazyModule(() => import("./derived/rebuild-index.js"));
const files = lazyModule(() => import("./health/memory-files.js"));
const health = lazyModule(() => import("./health/check-health.js"));

/** Opens a memory. Nothing is created until the first write. */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  return memoryOn(openProject(options));
}

/** The verbs of a memory on its session. */
export function memoryOn(session: OpenProject): Memory {
  const { clock } = session;

  const verbs = <Verbs extends object>(load: () => Promise<Verbs>) => lazyModule(load, session.redacting);
  const notes = verbs(async () => (await import("./notes/notes.js")).makeNoteVerbs(session));
  const skills = verbs(async () => (await import("./skills/skills.js")).makeSkillVerbs(session));
  const lookUp = (input: RecallInput): Promise<Recall> => recalling.lookUp(session, skills.match, input);
  const tasks = verbs(async () => {
    const { makeTaskVerbs } = await import("./tasks/make-task-verbs.js");
    const own = makeTaskVerbs(session, lookUp);
    return session.isAway ? own : (await import("./away/route-tasks.js")).routeTasks(session, own);
  });
  const working = verbs(async () => (await import("./working/working.js")).makeWorkingVerbs(session, lookUp));
  const learnings: LearningVerbs = verbs(async () =>
    (await import("./learnings/make-project-learnings.js")).makeProjectLearnings(session, { notes, links }),
  );
  const links: LinkVerbs = verbs(async () =>
    (await import("./links/make-link-verbs.js")).makeLinkVerbs(session, { notes, tasks, learnings, skills }),
  );

  const trust: TrustVerbs = lazyModule(async () =>
    (await import("./trust/trust.js")).makeTrustVerbs(session),
  );

  const team: TeamVerbs = lazyModule(async () =>
    (await import("./team/make-team-verbs.js")).makeTeamVerbs(session),
  );

  // What `dump` returns is what the work given to it returns.
  const records = verbs(async () =>
    (await import("./records/make-record-verbs.js")).makeRecordVerbs(session),
  ) as RecordVerbs;

  const imports = verbs(async () =>
    (await import("./imports/make-import-verbs.js")).makeImportVerbs(session),
  );

  const close = () => session.close();
  const memory: Memory = {
    project: session.folders,
    notes,
    tasks,
    learnings,
    links,
    skills,
    working,
    trust,
    team,
    records,
    imports,
    recall: (input) =>
      session.redacting(async () => {
        if (uuidStartOf(input.taskId ?? "") !== undefined) {
          const place = await (await import("./away/memory-of-task.js")).elsewhere(memory, input.taskId);
          if (place !== undefined) return place.memory.recall({ ...input, taskId: place.taskId });
        }
        const recalled = await lookUp(input);
        if (recalled.taskId !== undefined && input.isRecorded !== false)
          await session.write(({ store }) =>
            store.transaction((tx) => recording.recordRecall(tx, recalled, clock().toISOString())),
          );
        return recalled;
      }),
    metrics: ({ since = "" } = {}) =>
      session.readOrEmpty(({ store }) => metrics.measureImpact(store, { since })),
    metricsOverTime: ({ since = "" } = {}) =>
      session.readOrEmpty(({ store }) => metricsOverTime.impactOverTime(store, { since })),
    async init() {
      await initialising.markHome(session.folders);
      const isNew = !(await session.hasStore());
      return session.write((shelf) => initialising.initProject(shelf, isNew));
    },
    settings: () => session.loadedSettings(),
    settingsFiles: () => {
      const [user, project] = session.settingsFiles();
      return { user, project };
    },
    files: () => files.listMemoryFiles(session),
    checkHealth: (given = {}) => health.checkHealth(session, given),
    rebuildIndex: () =>
      session.redacting(async () => {
        const rebuilt = await session.write(index.rebuildIndex);
        await embedPending(session, Number.POSITIVE_INFINITY);
        return rebuilt;
      }),
    async embed(given = {}) {
      await session.refuseLeftOut("embedder");
      const { embed } = (await session.vectorSearch()).withSettings(await session.settings());
      return session.write((shelf) => embed(shelf, given));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  keepProject(memory, session);
  return memory;
}
