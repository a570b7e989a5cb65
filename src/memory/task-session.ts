import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { newLearningId } from "../domain/knowledge/record-ids.js";
import { lazyModule } from "../domain/lazy-module.js";
import type { EpisodicContext } from "../episodic/episodic-context.js";
import type { SemanticContext } from "../semantic/semantic-context.js";
import type { Shelf } from "./places/shelf.js";
import type { Session } from "./session.js";

/** The context of verbs on tasks and learnings. */
export interface TaskContext extends EpisodicContext, SemanticContext {
  /** The backup folder. */
  backups: string;
}

type Work<Result> = (context: TaskContext) => Promise<Result>;

/** A session that passes a `TaskContext` to its work instead of a shelf. */
export interface TaskSession {
  root: string;
  read<Result>(work: Work<Result>, otherwise: () => Result): Promise<Result>;
  readOrEmpty<Result>(work: Work<Result>): Promise<Result>;
  write<Result>(work: Work<Result>): Promise<Result>;
  change<Result>(work: Work<Result>): Promise<Result>;
}

const options = lazyModule(() => import("./episodic-options.js"));

export async function taskContext(session: Session, { store, place }: Shelf): Promise<TaskContext> {
  const { clock, random, root, environment, actor } = session;
  const settings = await session.settings();
  return {
    store,
    clock,
    root,
    actor,
    newUuid: randomUUID,
    newLearningId: () => newLearningId(random),
    window: await options.windowOptions(settings),
    reflector: await options.modelReflector(settings, { environment, root }),
    backups: join(place.storeDirectory, "backups"),
  };
}

export function taskSession(session: Session): TaskSession {
  const withContext =
    <Result>(work: Work<Result>) =>
    async (shelf: Shelf) =>
      work(await taskContext(session, shelf));
  return {
    root: session.root,
    read: (work, otherwise) => session.read(withContext(work), otherwise),
    readOrEmpty: (work) => session.readOrEmpty(withContext(work)),
    write: (work) => session.write(withContext(work)),
    change: (work) => session.change(withContext(work)),
  };
}
