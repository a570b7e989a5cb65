import { type Action, commandOf, isEdit, pathOf } from "../domain/tasks/action.js";
import { isCheck, isLookup, plainCommand } from "../domain/tasks/command-kind.js";
import { unique } from "../text/unique.js";
import type { Generalise } from "./generalise.js";

const readOnlyTools = /^(?:read|grep|glob|ls|search|view|notebookread|webfetch|websearch)$/i;
const planningTools = /^(?:todo\w*|skill|exitplanmode|enterplanmode|task\w*|askuserquestion)$/i;
const maxNamed = 3;
const maxReasons = 2;
const maxSteps = 20;

/** Whether an action changed nothing. */
export function isReadOnly(action: Action): boolean {
  const command = commandOf(action);
  return command === undefined
    ? readOnlyTools.test(action.type ?? action.tool)
    : isLookup(command) && !isCheck(command);
}

interface Step {
  kind: "read" | "edit" | "run" | "other";
  targets: string[];
  reasons: string[];
}

/**
 * Condenses successful actions into steps: what was read first is one step, edits of a file are one step where the first one
 * was, and repeated runs of a command are one step where the last one was.
 */
export function stepsOf(done: readonly Action[], generalise: Generalise): string[] {
  const steps = new Map<string, Step>();
  for (const action of done) {
    const step = stepOf(action, generalise);
    // Looking around during the work is no step.
    if (step === undefined || (step.kind === "read" && steps.size > (steps.has("read") ? 1 : 0))) continue;
    const key = step.kind === "read" ? "read" : `${step.kind} ${step.targets.join()}`;
    const earlier = steps.get(key);
    // Deleting first moves the step to the end of the map.
    if (step.kind === "run") steps.delete(key);
    steps.set(key, earlier === undefined ? step : merge(earlier, step));
  }
  const all = unique([...steps.values()].map(renderStep).filter(Boolean));
  // The last step is usually the check.
  return all.length > maxSteps ? [...all.slice(0, maxSteps - 1), ...all.slice(-1)] : all;
}

function stepOf(action: Action, generalise: Generalise): Step | undefined {
  const reasons = action.reasoning?.trim() ? [generalise(action.reasoning.trim().split("\n")[0] ?? "")] : [];
  const path = pathOf(action);
  const command = commandOf(action);
  if (isReadOnly(action)) {
    // Reading a skill is not a step of the work.
    if (path?.endsWith("SKILL.md")) return undefined;
    const isRead = path !== undefined && /^(?:read|view|notebookread)$/i.test(action.type ?? action.tool);
    return { kind: "read", targets: isRead ? [generalise(path)] : [], reasons };
  }
  if (isEdit(action))
    return path === undefined ? undefined : { kind: "edit", targets: [generalise(path)], reasons };
  if (command !== undefined) return { kind: "run", targets: [generalise(plainCommand(command))], reasons };
  if (planningTools.test(action.tool)) return undefined;
  return { kind: "other", targets: [generalise(action.tool)], reasons };
}

function merge(one: Step, other: Step): Step {
  return {
    kind: one.kind,
    targets: unique([...one.targets, ...other.targets]),
    reasons: unique([...one.reasons, ...other.reasons]),
  };
}

/** Empty for reads without a file to name, such as searches. */
function renderStep({ kind, targets, reasons }: Step): string {
  const named = targets.slice(0, maxNamed).join(", ");
  const all = targets.length > maxNamed ? `${named} and ${targets.length - maxNamed} more` : named;
  const why = reasons.slice(0, maxReasons).join("; ");
  const because = why && `: ${why}`;
  if (kind === "read") return targets.length === 0 ? "" : `Read ${all}${because}`;
  if (kind === "edit") return `Edit ${all}${because}`;
  return kind === "run" ? `Run \`${all}\`${because}` : `Use ${all}${because}`;
}
