import { impactOverTime } from "../recall/metrics/impact-over-time.js";
import { measureImpact } from "../recall/metrics/measure-impact.js";
import { rebuildIndex } from "./derived/rebuild-index.js";
import { embedPending } from "./embed-pending.js";
import { listMemoryFiles } from "./health/memory-files.js";
import type { ImportVerbs } from "./imports/import-verbs.js";
import { learningVerbs } from "./learnings/learnings.js";
import { linkVerbs } from "./links/links.js";
import type { Memory } from "./memory.js";
import { initProject, markHome } from "./notes/init-notes.js";
import { makeNoteVerbs } from "./notes/notes.js";
import { type OpenMemoryOptions, type OpenProject, openProject } from "./project/open-project.js";
import { keepProject } from "./project-of.js";
import { recallForTask } from "./recall/recall.js";
import type { RecordVerbs } from "./records/record-verbs.js";
import { makeSkillVerbs } from "./skills/skills.js";
import { awayOrOwnTasks } from "./team/route-tasks.js";
import { makeTeamVerbs } from "./team/team.js";
import { makeTrustVerbs } from "./trust/trust.js";
import { makeWorkingVerbs } from "./working/working.js";

/** Opens a memory. Nothing is created until the first write. */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  return memoryOn(openProject(options));
}

/** The public functions on an open project, in groups. */
export function memoryOn(project: OpenProject): Memory {
  const redacting = <Group extends object>(group: Group) => withRedaction(project, group);
  const close = () => project.close();
  const memory: Memory = {
    project: project.folders,
    notes: redacting(makeNoteVerbs(project)),
    tasks: redacting(awayOrOwnTasks(project)),
    learnings: redacting(learningVerbs(project)),
    links: redacting(linkVerbs(project)),
    skills: redacting(makeSkillVerbs(project)),
    working: redacting(makeWorkingVerbs(project)),
    trust: makeTrustVerbs(project),
    team: makeTeamVerbs(project),
    records: redacting(recordVerbs(project)),
    imports: redacting(importVerbs(project)),
    recall: (input) => project.redacting(() => recallForTask(project, input)),
    metrics: ({ since = "" } = {}) => project.readOrEmpty(({ store }) => measureImpact(store, { since })),
    metricsOverTime: ({ since = "" } = {}) =>
      project.readOrEmpty(({ store }) => impactOverTime(store, { since })),
    async init() {
      await markHome(project.folders);
      const isNew = !(await project.hasStore());
      return project.write((context) => initProject(context, isNew));
    },
    settings: () => project.loadedSettings(),
    settingsFiles() {
      const [user, own] = project.settingsFiles();
      return { user, project: own };
    },
    files: () => listMemoryFiles(project),
    async checkHealth(options = {}) {
      const { checkHealth } = await import("./health/check-health.js");
      return checkHealth(project, options);
    },
    rebuildIndex: () =>
      project.redacting(async () => {
        const rebuilt = await project.write(rebuildIndex);
        await embedPending(project, Number.POSITIVE_INFINITY);
        return rebuilt;
      }),
    async embed(options = {}) {
      await project.refuseLeftOut("embedder");
      const { embed } = (await project.vectorSearch()).withSettings(await project.settings());
      return project.write((context) => embed(context, options));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  keepProject(memory, project);
  return memory;
}

/** The functions of a group; each call redacts with the user's own patterns, too. */
function withRedaction<Group extends object>(project: OpenProject, group: Group): Group {
  type Verb = (...args: unknown[]) => Promise<unknown>;
  const verbs = Object.entries(group).map(([name, verb]: [string, Verb]) => [
    name,
    (...args: unknown[]) => project.redacting(async () => verb(...args)),
  ]);
  return Object.fromEntries(verbs) as Group;
}

/** Rarely needed: loaded by the first call. */
function recordVerbs(project: OpenProject): RecordVerbs {
  const load = async () => (await import("./records/record-verbs.js")).makeRecordVerbs(project);
  return {
    dump: async (work) => (await load()).dump(work),
    check: async (rows) => (await load()).check(rows),
    load: async (origin, rows, options) => (await load()).load(origin, rows, options),
  };
}

function importVerbs(project: OpenProject): ImportVerbs {
  const load = async () => (await import("./imports/import-verbs.js")).makeImportVerbs(project);
  return {
    check: async (files) => (await load()).check(files),
    take: async (files, options) => (await load()).take(files, options),
    originals: async (layout) => (await load()).originals(layout),
  };
}
