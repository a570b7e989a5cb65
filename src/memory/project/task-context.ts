import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { newLearningId } from "../../domain/knowledge/record-ids.js";
import type { EpisodicContext } from "../../episodic/episodic-context.js";
import type { SemanticContext } from "../../semantic/semantic-context.js";
import { modelReflector, windowOptions } from "./episodic-options.js";
import type { MemoryAccess } from "./memory-access.js";
import type { StoreContext } from "./place.js";

/** What functions on tasks and learnings work with. */
export interface TaskContext extends EpisodicContext, SemanticContext {
  /** The backup folder. */
  backups: string;
}

type Work<Result> = (context: TaskContext) => Promise<Result>;

/** Access that passes a `TaskContext` to its work. */
export interface TaskAccess {
  read<Result>(work: Work<Result>, otherwise: () => Result): Promise<Result>;
  readOrEmpty<Result>(work: Work<Result>): Promise<Result>;
  write<Result>(work: Work<Result>): Promise<Result>;
  change<Result>(work: Work<Result>): Promise<Result>;
}

export async function taskContext(
  memory: MemoryAccess,
  { store, place }: Pick<StoreContext, "store" | "place">,
): Promise<TaskContext> {
  const { clock, random, root, environment, actor } = memory;
  const settings = await memory.settings();
  return {
    store,
    clock,
    root,
    actor,
    newUuid: randomUUID,
    newLearningId: () => newLearningId(random),
    window: windowOptions(settings),
    reflector: await modelReflector(settings, { environment, root }),
    backups: join(place.storeDirectory, "backups"),
  };
}

export function taskAccess(memory: MemoryAccess): TaskAccess {
  const withContext =
    <Result>(work: Work<Result>) =>
    async (context: StoreContext) =>
      work(await taskContext(memory, context));
  return {
    read: (work, otherwise) => memory.read(withContext(work), otherwise),
    readOrEmpty: (work) => memory.readOrEmpty(withContext(work)),
    write: (work) => memory.write(withContext(work)),
    change: (work) => memory.change(withContext(work)),
  };
}
