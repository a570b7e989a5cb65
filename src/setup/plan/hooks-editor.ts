import { insertItem, removeItem } from "../jsonc/edit-jsonc.js";
import { findMember, parseJsonc, plainValue } from "../jsonc/parse-jsonc.js";
import { hookCommand, isHookCommand } from "../programs/own-program.js";
import type { PartEditor } from "./part-editor.js";

/** A hook of ours in a settings file. */
export interface FoundHook {
  event: string;
  group: number;
  handler: number;
  /** How many handlers the group has. */
  groupSize: number;
  value: Readonly<Record<string, unknown>>;
  command: string;
}

/** Hooks in JSON: lists of groups by event, a group with a list of handlers. */
export const hooksEditor: PartEditor<"hooks"> = {
  add(text, part, { agent, program }) {
    const wanted = part.events.map(({ name, timeout }) => ({
      event: name,
      value: { ...part.handler, type: "command", command: hookCommand(program, agent, name), timeout },
    }));
    const present = text === undefined ? [] : findHooks(text, agent);
    const isWanted = (hook: FoundHook) =>
      wanted.some(({ event, value }) => event === hook.event && isSame(hook.value, value));
    const hasAll = wanted.every(({ event }) => present.some((hook) => hook.event === event));
    if (text !== undefined && hasAll && present.length === wanted.length && present.every(isWanted))
      return text;
    let result = text === undefined ? undefined : removeHooks(text, agent);
    for (const { event, value } of wanted)
      result = insertItem(result, ["hooks", event], undefined, { hooks: [value] });
    return result ?? "";
  },
  remove: (text, _part, { agent }) => removeHooks(text, agent),
  has: (text, _part, { agent }) => findHooks(text, agent).length > 0,
};

/** The last one first, as they were added one after the other: that leaves what was there before the first. */
function removeHooks(text: string, agent: string): string | undefined {
  let result: string | undefined = text;
  while (result !== undefined) {
    const last = findHooks(result, agent).at(-1);
    if (last === undefined) break;
    const group = ["hooks", last.event, last.group];
    result = removeItem(result, last.groupSize === 1 ? group : [...group, "hooks", last.handler]);
  }
  return result;
}

/** What the agent itself may add to a handler is left alone. */
function isSame(
  value: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(wanted).every(([key, each]) => value[key] === each);
}

/** Our hooks in a settings file, of whatever version. */
export function findHooks(text: string, agent: string): FoundHook[] {
  const hooks = findMember(parseJsonc(text), "hooks")?.value;
  if (hooks?.kind !== "object") return [];
  const events = [...new Set(hooks.items.map(({ key }) => key))];
  return events.flatMap((event) => {
    const groups = findMember(hooks, event)?.value;
    if (groups?.kind !== "array") return [];
    return groups.items.flatMap(({ value: group }, groupIndex) => {
      const handlers = findMember(group, "hooks")?.value;
      if (handlers?.kind !== "array") return [];
      return handlers.items.flatMap(({ value: node }, handler) => {
        const value = plainValue(node) as Readonly<Record<string, unknown>>;
        const command = value?.command;
        if (typeof command !== "string" || !isHookCommand(command, agent)) return [];
        return [{ event, group: groupIndex, handler, groupSize: handlers.items.length, value, command }];
      });
    });
  });
}
