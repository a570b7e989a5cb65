import { randomUUID } from "node:crypto";
import { isStoreAway, RalphError } from "../../domain/ralph-error.js";
import { uuidStartOf } from "../../domain/tasks/task.js";
import type { OpenProject } from "../project/open-project.js";
import { type TaskVerbs, taskVerbs } from "../tasks/tasks.js";
import { awayProject } from "./away-project.js";
import { placeOfTask } from "./task-place.js";

/** The verbs of a project's tasks, wherever they are recorded. */
export function awayOrOwnTasks(project: OpenProject): TaskVerbs {
  return project.isAway ? taskVerbs(project) : routeTasks(project, taskVerbs(project));
}

/** Verbs that keep what they would record while the server is away, also about a task that was delivered before. */
const waiting: readonly string[] = ["log", "completeOrLater"] satisfies (keyof TaskVerbs)[];

type Verb = (...args: unknown[]) => Promise<unknown>;

function isVerb(value: unknown): value is Verb {
  return typeof value === "function";
}

/**
 * The verbs of a team's tasks: a task that begins while the server cannot be reached stays on this machine with a provisional
 * id, by which all verbs find it, here and after its delivery.
 */
function routeTasks(session: OpenProject, own: TaskVerbs): TaskVerbs {
  const here = (): TaskVerbs => taskVerbs(awayProject(session));

  const init: TaskVerbs["init"] = async (task) => {
    // If nobody knows whether the server got it, it is still the same task when it is delivered.
    const named = { uuid: randomUUID(), ...task };
    try {
      return await own.init(named);
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      session.notify({ kind: "store-away", message: error.message, isKept: true });
      return here().init(named);
    }
  };

  return new Proxy(own, {
    get(target, name) {
      if (name === "init") return init;
      const verb: unknown = Reflect.get(target, name);
      if (!isVerb(verb)) return verb;
      return async (...args: unknown[]) => {
        const [id, ...rest] = args;
        if (typeof id !== "string" || uuidStartOf(id) === undefined) return verb(...args);
        const place = await placeOfTask(session, id);
        if (place.kind === "delivered") return verb(place.taskId, ...rest);
        if (place.kind === "here") {
          const local = Reflect.get(here(), name) as typeof verb;
          return local(...args).catch(async (error: unknown) => {
            // Another process may have delivered it just now.
            if (!(error instanceof RalphError) || error.code !== "not-found") throw error;
            const now = await placeOfTask(session, id);
            if (now.kind === "here") throw error;
            return verb(now.kind === "delivered" ? now.taskId : id, ...rest);
          });
        }
        if (waiting.includes(String(name))) return verb(...args);
        throw place.error;
      };
    },
  });
}
