import { type Action, commandOf, isEdit, pathOf } from "../../domain/tasks/action.js";
import type { EncounteredError } from "../../domain/tasks/attempt.js";
import { errorsOf, type ReadAction } from "../../failures/failures-of.js";
import { isSameFailure } from "../../text/same-failure.js";

interface OpenError {
  error: EncounteredError;
  command: string | undefined;
  since: Action[];
}

const maxErrorsOfAction = 3;
const maxReasoning = 200;
const maxSteps = 3;

/** Errors that were resolved within the actions, each with what was done in between. */
export function findResolutions(
  actions: readonly Action[],
  isSuccess: boolean,
  readAction: ReadAction,
): EncounteredError[] {
  let open: OpenError[] = [];
  const resolved: EncounteredError[] = [];
  const close = (closed: readonly OpenError[]) => {
    for (const { error, since } of closed) {
      const resolution = describeWork(since);
      if (resolution !== undefined) resolved.push({ ...error, resolution });
    }
    open = open.filter((candidate) => !closed.includes(candidate));
  };
  for (const action of actions) {
    const command = commandOf(action);
    if (action.success) {
      if (command !== undefined && !isEdit(action)) close(open.filter((each) => each.command === command));
      for (const each of open) each.since.push(action);
      continue;
    }
    for (const error of errorsOf(readAction(action)).slice(0, maxErrorsOfAction)) {
      const isKnown = open.some((each) => isSameFailure(each.error.message, error.message));
      if (!isKnown) open.push({ error, command, since: [] });
    }
  }
  if (isSuccess) close(open);
  return resolved;
}

/** The edited files, with their reasoning; without edits, the commands that ran. */
export function describeWork(actions: readonly Action[]): string | undefined {
  const done = actions.filter(({ success }) => success);
  const edits = new Map<string, string>();
  for (const action of done.filter(isEdit)) {
    const path = pathOf(action);
    if (path !== undefined && !edits.get(path)) edits.set(path, reasonOf(action));
  }
  if (edits.size > 0) {
    const steps = [...edits].slice(0, maxSteps).map(([path, reason]) => `${path}${reason && ` (${reason})`}`);
    return `Edited ${steps.join(", ")}`;
  }
  const commands = [...new Set(done.flatMap((action) => commandOf(action) ?? []))];
  return commands.length === 0
    ? undefined
    : `Ran ${commands
        .slice(-maxSteps)
        .map((command) => `\`${command}\``)
        .join(", ")}`;
}

function reasonOf({ reasoning = "" }: Action): string {
  const line = reasoning.trim().split("\n")[0] ?? "";
  return line.length > maxReasoning ? `${line.slice(0, maxReasoning)}…` : line;
}
