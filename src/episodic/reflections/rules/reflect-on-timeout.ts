import { renderDuration } from "../../../domain/duration.js";
import { describeFailure } from "../../../failures/failure.js";
import { capitalised } from "../../../text/capitalised.js";
import { counted } from "../../../text/counted.js";
import { quotedObjective, type ReflectionText, type WorkReport, workName } from "../work-report.js";
import { advise } from "./advise.js";
import { asSentences } from "./as-sentences.js";
import { type TimedStep, type TimeSpent, timeSpent } from "./time-spent.js";
import { leftToSolve } from "./tried-without.js";

const shownSteps = 3;
/** Steps below this share of the time explain nothing. */
const leastShare = 0.1;
const mostOfTheTime = 0.5;
/** From this share on, a step is what the time went into. */
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
  const told = reason !== undefined && saysMoreThanTime(reason) ? reason : undefined;
  return {
    observation: `${capitalised(workName(report))} of ${quotedObjective(report)} ran out of time${after}${why ? `: ${why}` : ""}`,
    analysis: asSentences([...describeTime(spent), seen && `Seen meanwhile: ${seen}`]),
    learning: asSentences([
      told,
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
