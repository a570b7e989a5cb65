import { type Action, commandOf, isEdit, pathOf } from "../domain/tasks/action.js";
import { unique } from "../text/unique.js";
import type { Generalise } from "./generalise.js";

const readOnlyTools = /^(?:read|grep|glob|ls|search|view|notebookread|webfetch|websearch)$/i;
const readOnlyCommands =
  /^(?:ls|cat|head|tail|grep|rg|find|pwd|cd|wc|tree|git (?:status|diff|log|show)|which|echo)\b[^|;&><]*$/;
const planningTools = /^(?:todo\w*|skill|exitplanmode|enterplanmode|task\w*|askuserquestion)$/i;
const maxNamed = 3;
const maxReasons = 2;
const maxSteps = 20;

/** Whether an action changed nothing. */
export function isReadOnly(action: Action): boolean {
  const command = commandOf(action);
  return command === undefined
    ? readOnlyTools.test(action.type ?? action.tool)
    : readOnlyCommands.test(command);
}

interface Step {
  kind: "read" | "edit" | "run" | "other";
  targets: string[];
  reasons: string[];
}

/**
 * Condenses successful actions into steps: consecutive reads are one step, edits of a file are one step where the first one
 * was, and repeated runs of a command are one step where the last one was.
 */
export function stepsOf(done: readonly Action[], generalise: Generalise): string[] {
  const steps = new Map<string, Step>();
  let readKey = "";
  for (const [index, action] of done.entries()) {
    const step = stepOf(action, generalise);
    if (step === undefined) continue;
    if (step.kind !== "read") readKey = "";
    else if (readKey === "") readKey = `read ${index}`;
    const key = readKey || `${step.kind} ${step.targets.join()}`;
    const earlier = steps.get(key);
    // Deleting first moves the step to the end of the map.
    if (step.kind === "run") steps.delete(key);
    steps.set(key, earlier === undefined ? step : merge(earlier, step));
  }
  return unique([...steps.values()].map(renderStep).filter(Boolean)).slice(0, maxSteps);
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
  if (command !== undefined) return { kind: "run", targets: [generalise(command)], reasons };
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
