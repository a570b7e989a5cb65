import type { Part } from "./agent-files.js";
import type { PartEditor } from "./edit-parts.js";
import {
  endOf,
  findMember,
  hasComments,
  insertItem,
  isBlank,
  itemsOf,
  keyOf,
  parseJsonc,
  plainValue,
  removeItem,
  replaceScalar,
  valueIn,
} from "./formats/jsonc.js";
import { argumentsOfHook, hookCommand } from "./own-program.js";

/** One of our hooks in a settings file. */
export interface FoundHook {
  event: string;
  group: number;
  handler: number;
  value: Readonly<Record<string, unknown>>;
  command: string;
  /** The arguments that the command passes to the hook. */
  args: readonly string[];
  /** Its group contains nothing else, not even a comment. */
  isAlone: boolean;
}

type HooksPart = Part & { kind: "hooks" };

/** Hooks in JSON: lists of groups by event, a group with a list of handlers. Hooks that the user wrote or moved are kept. */
export const hooksEditor: PartEditor<"hooks"> = {
  add(text, part, { agent, program }) {
    let result = text === undefined ? undefined : removeSurplus(text, part, agent);
    for (const { name, timeout } of part.events) {
      const command = hookCommand(program, agent, name);
      const present = result === undefined ? undefined : servingHook(findHooks(result, agent), name, part);
      if (result === undefined || present === undefined)
        result = insertItem(result, ["hooks", name], undefined, {
          hooks: [{ ...part.handler, type: "command", command, timeout }],
        });
      else if (isOwn(present, part) && present.command !== command)
        result = replaceScalar(result, [...groupOf(present), "hooks", present.handler, "command"], command);
    }
    return result ?? "";
  },
  remove: (text, part, { agent }) => removeHooks(text, agent, (hook) => isOwn(hook, part)),
  has: (text, _part, { agent }) => findHooks(text, agent).length > 0,
};

/** Whether setup would write this hook, wherever the program is installed; the user may change the timeout. */
function isOwn({ event, value, args, isAlone }: FoundHook, { handler = {} }: HooksPart): boolean {
  const fixed = { ...handler, type: "command" };
  const known = [...Object.keys(fixed), "command", "timeout"];
  return (
    isAlone &&
    args.length === 1 &&
    args[0] === event &&
    Object.entries(fixed).every(([key, each]) => value[key] === each) &&
    Object.keys(value).every((key) => known.includes(key))
  );
}

/** The hook that already serves an event; the user's takes precedence. */
function servingHook(hooks: readonly FoundHook[], event: string, part: HooksPart): FoundHook | undefined {
  const serving = hooks.filter((hook) => hook.event === event && hook.args[0] === event);
  return serving.find((hook) => !isOwn(hook, part)) ?? serving[0];
}

/** Removes our hooks for events that this version does not use, and for events that another hook serves. */
function removeSurplus(text: string, part: HooksPart, agent: string): string | undefined {
  return removeHooks(text, agent, (hook, hooks) => {
    const isUsed = part.events.some(({ name }) => name === hook.event);
    return isOwn(hook, part) && !(isUsed && servingHook(hooks, hook.event, part) === hook);
  });
}

/** Removes the last one first, in the reverse order of adding them, which restores the original text. */
function removeHooks(
  text: string,
  agent: string,
  isWrong: (hook: FoundHook, hooks: readonly FoundHook[]) => boolean,
): string | undefined {
  let result: string | undefined = text;
  while (result !== undefined) {
    const last = findHooks(result, agent).findLast((hook, _, hooks) => isWrong(hook, hooks));
    if (last === undefined) break;
    result = removeItem(result, groupOf(last));
  }
  return result;
}

function groupOf({ event, group }: FoundHook): (string | number)[] {
  return ["hooks", event, group];
}

/** Our hooks in a settings file, of any version. */
export function findHooks(text: string, agent: string): FoundHook[] {
  const hooks = isBlank(text) ? undefined : valueIn(findMember(parseJsonc(text), "hooks"));
  if (hooks?.type !== "object") return [];
  const found: FoundHook[] = [];
  for (const event of new Set(itemsOf(hooks).map(keyOf))) {
    const groups = valueIn(findMember(hooks, event));
    if (groups?.type !== "array") continue;
    for (const [group, node] of itemsOf(groups).entries()) {
      const handlers = valueIn(findMember(node, "hooks"));
      if (handlers?.type !== "array") continue;
      const isSingle = itemsOf(node).length === 1 && itemsOf(handlers).length === 1;
      const isAlone = isSingle && !hasComments(text.slice(node.offset, endOf(node)));
      for (const [handler, each] of itemsOf(handlers).entries()) {
        const value = Object(plainValue(each)) as Readonly<Record<string, unknown>>;
        const { command } = value;
        const args = typeof command === "string" ? argumentsOfHook(command, agent) : undefined;
        if (typeof command === "string" && args !== undefined)
          found.push({ event, group, handler, value, command, args, isAlone });
      }
    }
  }
  return found;
}
