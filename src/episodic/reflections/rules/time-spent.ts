import { type Action, commandOf, pathOf } from "../../../domain/tasks/action.js";

/** A command or tool call, with all the time that passed until the step after it began. */
export interface TimedStep {
  name: string;
  ms: number;
  /** Of the whole time, from 0 to 1. */
  share: number;
  runs: number;
  isCommand: boolean;
}

export interface TimeSpent {
  ms: number;
  /** The longest first; repeated calls are added up. */
  steps: readonly TimedStep[];
  /** What began last. */
  last: Pick<TimedStep, "name" | "ms">;
}

const maxName = 80;
const leastMs = 1000;

/** Where the time of some work went; undefined if its actions have no times of their own. Runners may log by another clock. */
export function timeSpent(
  actions: readonly Action[],
  period?: { from: string; to: string },
): TimeSpent | undefined {
  const inOrder = actions.toSorted((one, other) => timeOf(one) - timeOf(other));
  const last = inOrder.at(-1);
  if (last === undefined) return undefined;
  const first = inOrder[0] ?? last;
  const isSameClock = period !== undefined && period.from <= first.timestamp && last.timestamp <= period.to;
  const began = isSameClock ? Date.parse(period.from) : timeOf(first);
  const end = isSameClock ? Date.parse(period.to) : timeOf(last);
  const ms = end - began;
  const steps = new Map<string, TimedStep>();
  let lastMs = 0;
  for (const [place, action] of inOrder.entries()) {
    const next = inOrder[place + 1];
    const took = (next === undefined ? end : timeOf(next)) - timeOf(action);
    const name = nameOf(action);
    const known = steps.get(name) ?? { name, ms: 0, share: 0, runs: 0, isCommand: isCommand(action) };
    steps.set(name, { ...known, ms: known.ms + took, share: (known.ms + took) / ms, runs: known.runs + 1 });
    lastMs = took;
  }
  const longest = [...steps.values()]
    .filter((step) => step.ms >= leastMs)
    .toSorted((one, other) => other.ms - one.ms);
  return longest.length === 0 ? undefined : { ms, steps: longest, last: { name: nameOf(last), ms: lastMs } };
}

function timeOf({ timestamp }: Action): number {
  return Date.parse(timestamp);
}

function isCommand(action: Action): boolean {
  return commandOf(action) !== undefined;
}

function nameOf(action: Action): string {
  const command = commandOf(action);
  if (command !== undefined)
    return `\`${command.length > maxName ? `${command.slice(0, maxName)}…` : command}\``;
  return [action.tool, pathOf(action)].filter((part) => part !== undefined).join(" ");
}
