import { type Action, commandOf, isEdit, pathOf } from "../domain/tasks/action.js";
import type { Generalise } from "./generalise.js";

const looking = /^(?:read|grep|glob|ls|search|view|notebookread|webfetch|websearch)$/i;
const lookingCommand =
  /^(?:ls|cat|head|tail|grep|rg|find|pwd|cd|wc|tree|git (?:status|diff|log|show)|which|echo)\b[^|;&><]*$/;
const bookkeeping = /^(?:todo\w*|skill|exitplanmode|enterplanmode|task\w*|askuserquestion)$/i;
const maxNamed = 3;
const maxReasons = 2;
const maxSteps = 20;

/** Whether an action only looked at something. */
export function isLook(action: Action): boolean {
  const command = commandOf(action);
  return command === undefined ? looking.test(action.type ?? action.tool) : lookingCommand.test(command);
}

interface Step {
  kind: "look" | "edit" | "run" | "other";
  /** What it was done to. */
  things: string[];
  reasons: string[];
}

/**
 * Steps from what succeeded: looking around in a row is one step, edits of one file are one step at the first of them, and
 * a command that was run again and again is one step at the last time.
 */
export function stepsOf(done: readonly Action[], generalise: Generalise): string[] {
  const steps = new Map<string, Step>();
  let lookKey = "";
  for (const [index, action] of done.entries()) {
    const step = stepOf(action, generalise);
    if (step === undefined) continue;
    if (step.kind !== "look") lookKey = "";
    else if (lookKey === "") lookKey = `look ${index}`;
    const key = lookKey || `${step.kind} ${step.things.join()}`;
    const earlier = steps.get(key);
    // What is taken out of a map and put in again stands last.
    if (step.kind === "run") steps.delete(key);
    steps.set(key, earlier === undefined ? step : merge(earlier, step));
  }
  return [...new Set([...steps.values()].map(sayStep).filter(Boolean))].slice(0, maxSteps);
}

function stepOf(action: Action, generalise: Generalise): Step | undefined {
  const reasons = action.reasoning?.trim() ? [generalise(action.reasoning.trim().split("\n")[0] ?? "")] : [];
  const path = pathOf(action);
  const command = commandOf(action);
  if (isLook(action)) {
    // A file that tells how to go about it is not part of how it is done.
    if (path?.endsWith("SKILL.md")) return undefined;
    const isRead = path !== undefined && /^(?:read|view|notebookread)$/i.test(action.type ?? action.tool);
    return { kind: "look", things: isRead ? [generalise(path)] : [], reasons };
  }
  if (isEdit(action))
    return path === undefined ? undefined : { kind: "edit", things: [generalise(path)], reasons };
  if (command !== undefined) return { kind: "run", things: [generalise(command)], reasons };
  if (bookkeeping.test(action.tool)) return undefined;
  return { kind: "other", things: [generalise(action.tool)], reasons };
}

function merge(one: Step, other: Step): Step {
  const unique = (items: readonly string[]) => [...new Set(items)];
  return {
    kind: one.kind,
    things: unique([...one.things, ...other.things]),
    reasons: unique([...one.reasons, ...other.reasons]),
  };
}

/** Nothing for a look around that leaves no file to name. */
function sayStep({ kind, things, reasons }: Step): string {
  const named = things.slice(0, maxNamed).join(", ");
  const all = things.length > maxNamed ? `${named} and ${things.length - maxNamed} more` : named;
  const why = reasons.slice(0, maxReasons).join("; ");
  const because = why && `: ${why}`;
  if (kind === "look") return things.length === 0 ? "" : `Read ${all}${because}`;
  if (kind === "edit") return `Edit ${all}${because}`;
  return kind === "run" ? `Run \`${all}\`${because}` : `Use ${all}${because}`;
}
