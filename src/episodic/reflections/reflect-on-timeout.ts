import { renderDuration } from "../../domain/duration.js";
import { type Action, commandOf, pathOf } from "../../domain/tasks/action.js";
import { describeFailure } from "../../failures/failure.js";
import { capitalised } from "../../text/capitalised.js";
import { counted } from "../../text/counted.js";
import { advise } from "./reflect-on-failures.js";
import {
  asSentences,
  quotedObjective,
  type ReflectionText,
  type WorkReport,
  workName,
} from "./work-report.js";
import { leftToSolve } from "./work-tried.js";

const shownSteps = 3;
/** Steps below this share of the time explain nothing. */
const leastShare = 0.1;
const mostOfTheTime = 0.5;
/** From this share on, a step is what took the time. */
const muchOfTheTime = 0.3;

/** Where the time went, what ran last, and which failures were seen meanwhile. */
export function reflectOnTimeout(report: WorkReport): ReflectionText {
  const { actions, failures, reason, limit, period } = report;
  const spent = timeSpent(actions, period);
  const after = actions.length === 0 ? "" : ` after ${counted(actions.length, "action")}`;
  const why = reason ?? limit;
  const [failure] = failures;
  const seen = failure === undefined ? undefined : describeFailure(failure);
  const [longest] = spent?.steps ?? [];
  const lesson = reason !== undefined && saysMoreThanTime(reason) ? reason : undefined;
  return {
    observation: `${capitalised(workName(report))} of ${quotedObjective(report)} ran out of time${after}${why ? `: ${why}` : ""}`,
    analysis: asSentences([...describeTime(spent), seen && `Seen meanwhile: ${seen}`]),
    learning: asSentences([
      lesson,
      longest && longest.share >= muchOfTheTime
        ? `Of ${renderDuration(spent?.ms ?? 0)}, ${lengthOf(longest)} went into ${longest.name}`
        : undefined,
      seen && capitalised(leftToSolve(seen)),
    ]),
    action_items: [
      ...(longest?.isCommand === true && longest.share >= mostOfTheTime
        ? [`Run only part of ${longest.name} at a time`]
        : []),
      ...advise(failures),
    ],
  };
}

function describeTime(spent: TimeSpent | undefined): string[] {
  if (spent === undefined) return [];
  const steps = spent.steps.filter(({ share }) => share >= leastShare).slice(0, shownSteps);
  const times = steps.map((step) => `${step.name} ${lengthOf(step)}${timesOf(step)}`);
  return [
    ...(times.length === 0 ? [] : [`Longest: ${times.join(", ")}`]),
    `The last to run was ${spent.last.name}${spent.last.ms > 0 ? `, ${renderDuration(spent.last.ms)} before the end` : ""}`,
  ];
}

function lengthOf({ ms, share }: TimedStep): string {
  return `${renderDuration(ms)} (${Math.round(share * 100)} %)`;
}

function timesOf({ runs }: TimedStep): string {
  return runs === 1 ? "" : ` in ${runs} runs`;
}

const timeWords =
  /\b(?:the|an?|one|two|three|five|ten|half|of|in|it|was|has|after|attempt|iteration|task|agent|command|process|timeout|timed|times?|out|ran|run|running|exceeded|exhausted|over|limit|limits|reached|hit|used|up|budget|killed|stopped|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|ms|max|maximum)\b|\d+[smhd]?/gi;

/** "Timed out after 600 s" only repeats the outcome. */
function saysMoreThanTime(reason: string): boolean {
  return /\p{L}{2}/u.test(reason.replace(timeWords, " "));
}

/** A command or tool call, with the time until the next step began. */
interface TimedStep {
  name: string;
  ms: number;
  /** Its share of the whole time, from 0 to 1. */
  share: number;
  runs: number;
  isCommand: boolean;
}

interface TimeSpent {
  ms: number;
  /** The longest first; repeated calls are added up. */
  steps: readonly TimedStep[];
  /** What began last. */
  last: Pick<TimedStep, "name" | "ms">;
}

const maxName = 80;
const leastMs = 1000;

/** Where the time of some work went; undefined if its actions lack times. Runners may log by another clock. */
function timeSpent(actions: readonly Action[], period?: { from: string; to: string }): TimeSpent | undefined {
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
