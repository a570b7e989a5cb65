import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Settings } from "../config/default-settings.js";
import { userHome } from "../config/paths.js";
import type { Clock } from "../domain/clock.js";
import type { Environment } from "../domain/environment.js";
import { newLearningId } from "../domain/knowledge/learning-id.js";
import { type RandomHex, randomHex } from "../domain/knowledge/note-id.js";
import { messageOf } from "../domain/message-of.js";
import { RalphError } from "../domain/ralph-error.js";
import type { EpisodicContext } from "../episodic/episodic-context.js";
import { findProject } from "../files/find-project.js";
import type { FindRecords } from "../search/search-records.js";
import type { Store } from "../store/store.js";
import type { Embedded, EmbedOptions } from "./derived/meaning/embed-records.js";
import type { Meaning } from "./derived/meaning/make-meaning.js";
import type { LearningContext } from "./learnings/learn-from-tasks.js";
import { makeLearningVerbs } from "./learnings/make-learning-verbs.js";
import type { Memory } from "./memory.js";
import { noteNotFound } from "./notes/note-not-found.js";
import type { Notice } from "./notice.js";
import { filesOf, type Shelf } from "./places/shelf.js";
import { makeShelves } from "./places/shelves.js";
import type { Recall, RecallInput } from "./recall/recall-verbs.js";
import { makeSkillVerbs } from "./skills/skill-verbs.js";
import { makeRunVerbs, type RunAccess } from "./tasks/run-verbs.js";
import { makeSimilarTaskVerbs } from "./tasks/similar-task-verbs.js";
import { makeTaskVerbs } from "./tasks/task-verbs.js";
import { makeWorkingVerbs } from "./working/make-working-verbs.js";

export interface OpenMemoryOptions {
  /** A folder inside the project; the current one by default. */
  root?: string | undefined;
  /** Whose memory: the project's by default. */
  owner?: "project" | "user";
  /** For settings, keys and the programs that it runs; the process's own by default. */
  environment?: Environment;
  clock?: Clock;
  random?: RandomHex;
  /** How long to go on trying while other processes write. */
  patienceMs?: number;
  onNotice?: (notice: Notice) => void;
  /** The process ends right after `close`: databases are left to its end, which saves time. */
  isShortLived?: boolean;
  /** Settings that count more than all files and variables. */
  overrides?: Partial<Settings>;
}

/** How many records a command embeds that has other work to do. */
const embeddedBeside = 256;

/** Opens a memory. Nothing is created until something is written. */
export async function openMemory(options: OpenMemoryOptions = {}): Promise<Memory> {
  const { environment = process.env, clock = () => new Date(), random = randomHex } = options;
  const { owner = "project", onNotice: notify = () => undefined, patienceMs } = options;
  const ralphHome = userHome(environment);
  const root = existingFolder(options.root ?? (environment.RALPH_ROOT || currentFolder()));
  const project = findProject(root, { userHome: ralphHome });
  const shelves = makeShelves({
    ...{ project, ralphHome, owner, environment, clock, random, patienceMs, notify },
    overrides: options.overrides,
  });
  let isClosed = false;

  const refuseWhenClosed = () => {
    if (isClosed) throw new Error("This memory has been closed");
  };

  /** A damaged index is rebuilt in place, and the work done again. */
  const repairing = async <Result>(
    shelf: Shelf,
    work: (shelf: Shelf) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await work(shelf);
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== "index-damaged") throw error;
      const { rebuildIndex } = await import("./derived/rebuild-index.js");
      await rebuildIndex(shelf);
      notify({ kind: "index-rebuilt", path: shelf.place.storeDirectory });
      return work(shelf);
    }
  };

  const reading = async <Result>(
    work: (shelf: Shelf) => Promise<Result>,
    otherwise: () => Result,
  ): Promise<Result> => {
    refuseWhenClosed();
    const shelf = await shelves.find();
    return shelf === undefined ? otherwise() : repairing(shelf, work);
  };

  /** A memory that does not exist is one that nothing is in. */
  const readingOrEmpty = async <Result>(work: (shelf: Shelf) => Promise<Result>): Promise<Result> => {
    refuseWhenClosed();
    return repairing((await shelves.find()) ?? (await shelves.openEmpty()), work);
  };

  const writing = async <Result>(work: (shelf: Shelf) => Promise<Result>): Promise<Result> => {
    refuseWhenClosed();
    const shelf = await shelves.open(await shelves.place());
    const result = await repairing(shelf, work);
    shelves.noteWritten(shelf);
    return result;
  };

  /** For changes of what must be there already: a project without a memory stays one. */
  const changing = async <Result>(id: string, work: (shelf: Shelf) => Promise<Result>): Promise<Result> => {
    refuseWhenClosed();
    if ((await shelves.find()) === undefined) throw noteNotFound(id);
    return writing(work);
  };

  const episodic = async ({ store }: Shelf): Promise<EpisodicContext> => {
    const settings = await shelves.effectiveSettings();
    const { modelReflector, windowOptions } = await import("./tasks/episodic-options.js");
    return {
      store,
      clock,
      newUuid: () => crypto.randomUUID(),
      root: project.root,
      window: windowOptions(settings),
      reflector: await modelReflector(settings, environment),
    };
  };

  const episodicAccess: RunAccess = {
    recording: (work) => writing(async (shelf) => work(await episodic(shelf))),
    reading: (work, otherwise) => reading(async (shelf) => work(await episodic(shelf)), otherwise),
  };

  const learning = async <Result>(
    shelf: Shelf,
    work: (context: LearningContext, backups: string) => Promise<Result>,
  ): Promise<Result> => {
    const context = { ...(await episodic(shelf)), newLearningId: () => newLearningId(random) };
    return work(context, join(shelf.place.storeDirectory, "backups"));
  };

  /** The attempt has been recorded by then: a fault here is told, and loses nothing. */
  const learnFrom = async (taskId: string): Promise<string | undefined> => {
    const promotion = (await shelves.effectiveSettings())["learnings.promotion"];
    if (promotion === "off") return undefined;
    const { closeTask } = await import("./learnings/learn-from-tasks.js");
    const isReviewed = promotion === "review";
    try {
      await writing((shelf) => learning(shelf, (context) => closeTask(context, taskId, { isReviewed })));
      return undefined;
    } catch (error) {
      return `nothing was learned: ${messageOf(error)}`;
    }
  };

  const countSkills = async (taskId: string): Promise<string | undefined> => {
    const { countSkillUses } = await import("./skills/count-skill-uses.js");
    try {
      await writing(async (shelf) => countSkillUses(await episodic(shelf), taskId));
      return undefined;
    } catch (error) {
      return `uses of skills were not counted: ${messageOf(error)}`;
    }
  };

  const skills = makeSkillVerbs({
    project,
    place: () => shelves.place(),
    reading: async (work, otherwise) => {
      refuseWhenClosed();
      const { storeDirectory } = await shelves.place();
      if (!shelves.hasStore(storeDirectory)) return otherwise();
      return repairing(await shelves.open(await shelves.place()), async (shelf) =>
        work(await episodic(shelf)),
      );
    },
    notify,
  });

  /** Most projects have none, and then the code that reads them is not needed. */
  const hasSkills = async (): Promise<boolean> =>
    filesOf(await shelves.place()).some(({ path }) => existsSync(join(dirname(path), "skills")));

  const lookUp = async (input: RecallInput): Promise<Recall> => {
    refuseWhenClosed();
    const { recall } = await import("./recall/recall.js");
    const matchSkills = async (objective: string, limit: number) =>
      (await hasSkills()) ? skills.matchSkills(objective, limit) : [];
    const settings = await shelves.effectiveSettings();
    const sources = { settings, clock, root: project.root, episodic, matchSkills, findBy };
    const [first, ...others] = await shelves.findAll();
    if (first === undefined) return recall({ ...sources, shelves: [] }, input);
    return repairing(first, (shelf) => recall({ ...sources, shelves: [shelf, ...others] }, input));
  };

  /** Loaded when an embedder is set, and then kept: its model and the vectors stay in memory. */
  let meaning: Promise<Meaning> | undefined;
  const loadMeaning = (): Promise<Meaning> => {
    const load = async () => {
      const { makeMeaning } = await import("./derived/meaning/make-meaning.js");
      return makeMeaning({ project, ralphHome, environment, notify });
    };
    meaning ??= load();
    return meaning;
  };

  const findBy = async (store: Store): Promise<FindRecords | undefined> => {
    const settings = await shelves.effectiveSettings();
    if (settings["embedder.use"] === "none") return undefined;
    return (await loadMeaning()).under(settings).findBy(store);
  };

  const embedRecords = async (options: EmbedOptions): Promise<Embedded> => {
    const { embed } = (await loadMeaning()).under(await shelves.effectiveSettings());
    return writing((shelf) => embed(shelf, options));
  };

  /** Long commands embed what waits; a fault of the embedder does not stop them. */
  const embedPending = async (limit = embeddedBeside): Promise<void> => {
    const settings = await shelves.effectiveSettings();
    if (settings["embedder.use"] === "none" || (await shelves.find()) === undefined) return;
    const { embedBeside: embed } = (await loadMeaning()).under(settings);
    await writing((shelf) => embed(shelf, limit));
  };

  const learningVerbs = makeLearningVerbs({
    root: project.root,
    recording: (work) => writing((shelf) => learning(shelf, work)),
    changing: async (work) =>
      (await shelves.find()) === undefined
        ? learning(await shelves.openEmpty(), work)
        : writing((shelf) => learning(shelf, work)),
    reading: (work) => readingOrEmpty((shelf) => learning(shelf, work)),
  });

  // Verbs are loaded when they are called: a command that searches does not wait for the code that writes.
  return {
    project,
    settings: () => shelves.settings(),
    async addNote(note) {
      const { addNote, checkNewNote } = await import("./notes/writing/add-note.js");
      const checked = checkNewNote(note);
      return writing((shelf) => addNote(shelf, checked));
    },
    async editNote(id, edit) {
      const { checkNoteEdit, editNote } = await import("./notes/writing/edit-note.js");
      const checked = checkNoteEdit(edit);
      return changing(id, (shelf) => editNote(shelf, id, checked));
    },
    deleteNote: (id) =>
      changing(id, async (shelf) => (await import("./notes/writing/delete-note.js")).deleteNote(shelf, id)),
    getNote: (id) =>
      reading(
        async (shelf) => (await import("./notes/list-notes.js")).getNote(shelf, id),
        () => {
          throw noteNotFound(id);
        },
      ),
    listNotes: (listing = {}) =>
      reading(
        async (shelf) => (await import("./notes/list-notes.js")).listNotes(shelf, listing),
        () => [],
      ),
    searchNotes: (search) =>
      reading(
        async (shelf) =>
          (await import("./notes/search-notes.js")).searchNotes(shelf, search, await findBy(shelf.store)),
        () => [],
      ),
    primeNotes: async (prime = {}) =>
      (await import("./notes/prime-notes.js")).primeNotes(await shelves.findAll(), prime),
    primeInto: async (write, prime = {}) =>
      (await import("./notes/prime-notes.js")).primeInto(await shelves.findAll(), prime, write),
    primeText: async (prime = {}) =>
      (await import("./notes/prime-notes.js")).primeText(await shelves.findAll(), prime),
    ...learningVerbs,
    async consolidate(options) {
      const consolidated = await learningVerbs.consolidate(options);
      if (!options.isDryRun) await embedPending();
      return consolidated;
    },
    ...makeTaskVerbs({
      ...episodicAccess,
      lookUp,
      findBy,
      afterAttempt: async (taskId) => {
        const problems = [await countSkills(taskId), await learnFrom(taskId)];
        return problems.filter((problem) => problem !== undefined);
      },
    }),
    ...makeSimilarTaskVerbs({
      reading: (work, otherwise) => reading(({ store }) => work(store), otherwise),
      settings: () => shelves.effectiveSettings(),
      clock,
    }),
    ...skills,
    ...makeRunVerbs(episodicAccess),
    async metrics({ since = "" } = {}) {
      const { measureImpact } = await import("../recall/metrics/measure-impact.js");
      return readingOrEmpty(({ store }) => measureImpact(store, { since }));
    },
    async recall(input) {
      const recalled = await lookUp(input);
      if (recalled.taskId !== undefined) {
        const { recordRecall } = await import("./recall/record-recall.js");
        await writing((shelf) =>
          shelf.store.transaction((tx) => recordRecall(tx, recalled, clock().toISOString())),
        );
      }
      return recalled;
    },
    ...makeWorkingVerbs({
      root: project.root,
      lookUp,
      recording: writing,
      reading,
      async continuityPath() {
        const { continuityPath } = await import("../working/continuity-path.js");
        const settings = await shelves.effectiveSettings();
        return continuityPath(owner === "user" ? ralphHome : project.home, settings["continuity.path"]);
      },
    }),
    initNotes: (init) =>
      writing(async (shelf) => (await import("./notes/writing/init-notes.js")).initNotes(shelf, init)),
    async initProject() {
      const isNew = !shelves.hasStore((await shelves.place()).storeDirectory);
      return writing(async (shelf) =>
        (await import("./notes/writing/init-notes.js")).initProject(shelf, isNew),
      );
    },
    async rebuildIndex() {
      const { rebuildIndex } = await import("./derived/rebuild-index.js");
      const rebuilt = await writing(rebuildIndex);
      await embedPending(Number.POSITIVE_INFINITY);
      return rebuilt;
    },
    embedRecords: (embed = {}) => embedRecords(embed),
    embedPending,
    async checkHealth(health) {
      const { checkHealth } = await import("./health/check-health.js");
      return checkHealth({ project, owner, clock, shelves, loadMeaning }, health);
    },
    async close() {
      isClosed = true;
      await (await meaning)?.close();
      await shelves.close(options.isShortLived ? "leave" : "close");
    },
  };
}

function existingFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new RalphError("wrong-use", `Not a folder: ${path}`, { hint: "give an existing folder with --root" });
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new RalphError("wrong-use", "The current folder does not exist any more", {
      hint: "change to another one, or use --root",
      cause: error,
    });
  }
}
