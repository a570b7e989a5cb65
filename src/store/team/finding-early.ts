import type { Tasks } from "../repositories/tasks/tasks.js";
import type { Opening } from "./opening.js";

/**
 * Asks for the task that a command is about together with the state of the server, which saves the command a round trip. What
 * that answers counts only once the server is known to be the right one; a task that was not found is asked for again.
 */
export function findingEarly(tasks: Tasks, open: () => Opening): Tasks {
  const find: Tasks["find"] = async (number) => {
    const { store, isOpen, early } = open();
    const asking = isOpen ? undefined : (await early)?.find(number).catch(() => undefined);
    await store;
    return (await asking) ?? tasks.find(number);
  };
  return new Proxy(tasks, {
    get: (_target, name) => (name === "find" ? find : Reflect.get(tasks, name)),
  });
}
