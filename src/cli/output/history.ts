import { aboutAttempt, earlyHeading, type Reflection } from "../../domain/tasks/reflection.js";
import type { AttemptHistory, TaskHistory } from "../../episodic/history/query-history.js";
import { withoutControls } from "../../text/control-characters.js";
import { counted } from "../../text/counted.js";
import { byName, listedObjective } from "./tasks.js";
import { oneLine } from "./terminal/style.js";
import type { Terminal } from "./terminal/terminal.js";
import { shownMoment } from "./times.js";

export function renderReflection(reflection: Reflection): string {
  const part = (title: string, text: string) =>
    text === "" ? [] : [`**${title}**: ${withoutControls(text)}`, ""];
  const items = reflection.action_items.map((item, index) => `${index + 1}. ${oneLine(item)}`);
  return [
    `## Reflection ${reflection.attempt_id === 0 ? aboutAttempt(0) : `on Attempt ${reflection.attempt_id}`}`,
    "",
    ...part("Observation", reflection.observation),
    ...part("Analysis", reflection.analysis),
    ...part("Learning", reflection.learning),
    ...(items.length === 0 ? [] : ["**Action Items**:", ...items, ""]),
  ].join("\n");
}

/** A task as a timeline. */
export function renderTaskHistory(history: TaskHistory, terminal: Terminal): string {
  const facts = [
    `${history.id}  ${history.status}  ${counted(history.total_attempts, "attempt")}${byName(history.made_by)}`,
    listedObjective(history.description),
    ...(history.completion_criteria ? [`Done when: ${listedObjective(history.completion_criteria)}`] : []),
    ...(history.tags.length > 0 ? [`Tags: ${oneLine(history.tags.join(", "))}`] : []),
  ];
  const early = reflectionLines(0, history.reflections);
  const attempts = history.attempts.flatMap((attempt) => [
    "",
    ...renderAttempt(attempt, history.reflections, terminal),
  ]);
  return `${[...facts, ...(early.length === 0 ? [] : ["", earlyHeading, ...early]), ...attempts].join("\n")}\n`;
}

const maxWords = 300;

/** What the agent said in each iteration, on one line, without its promise to be done. */
export function wordsOf({ results }: AttemptHistory): { iteration: number; said: string }[] {
  return results.flatMap(({ iteration, said = "" }) => {
    const line = oneLine(said.replace(/<promise>[^<]*<\/promise>/gi, "").trim());
    const shown = line.length > maxWords ? `${line.slice(0, maxWords)} …` : line;
    return shown === "" ? [] : [{ iteration, said: shown }];
  });
}

/** The first line of a milestone's details says why. */
function why(details: string | undefined): string[] {
  const [first = ""] = (details ?? "").split("\n");
  return first.trim() === "" ? [] : [first];
}

/** How good the work was after each iteration and at the end, and how much of it was done. */
export function renderProgress({ execution, outcome }: AttemptHistory): string {
  const { final_quality: final, completion_percent: percent } = outcome ?? {};
  const rated = execution.quality_history.map(({ quality }) => quality);
  const qualities = final === undefined || final === rated.at(-1) ? rated : [...rated, final];
  const quality = qualities.map((each) => each.toFixed(2)).join(" → ");
  return `${quality && `, quality ${quality}`}${percent === undefined ? "" : `, ${percent} % done`}`;
}

export function renderAttempt(
  attempt: AttemptHistory,
  reflections: readonly Reflection[],
  terminal: Terminal,
): string[] {
  const { execution, outcome } = attempt;
  return [
    `Attempt ${attempt.id}  ${outcome?.status ?? "running"}  ${spanOf(attempt, terminal)}${byName(attempt.made_by)}`,
    `  ${counted(execution.iterations, "iteration")}, ${counted(execution.actions_performed, "action")}${renderOthers(attempt)}${renderProgress(attempt)}`,
    ...(outcome?.reason ? [`  Reason: ${oneLine(outcome.reason)}`] : []),
    ...(attempt.actions_summary ? [`  ${oneLine(attempt.actions_summary)}`] : []),
    ...attempt.errors_encountered.map(
      ({ message, resolution }) =>
        `  Error: ${oneLine(message)}${resolution ? ` → ${oneLine(resolution)}` : ""}`,
    ),
    ...attempt.milestones.map(
      ({ timestamp, event, details }) =>
        `  ${shownMoment(timestamp, terminal)}  ${oneLine([event, ...why(details)].join(": "))}`,
    ),
    ...wordsOf(attempt).map(({ iteration, said }) => `  Agent, iteration ${iteration}: ${said}`),
    ...reflectionLines(attempt.id, reflections),
  ];
}

function reflectionLines(attemptId: number, reflections: readonly Reflection[]): string[] {
  return reflections
    .filter(({ attempt_id: id }) => id === attemptId)
    .map(
      (reflection) =>
        `  ${reflection.reflection_type}${reflection.effectiveness ? ` (${reflection.effectiveness})` : ""}: ${oneLine(reflection.learning || reflection.observation)}`,
    );
}

/** Ralph's own steps, such as checks, are no actions of the agent; a replay shows them all. */
function renderOthers({ actions, execution }: AttemptHistory): string {
  const others = actions.length - execution.actions_performed;
  return others > 0 ? ` (${counted(actions.length, "step")} to replay)` : "";
}

function spanOf({ started, ended }: AttemptHistory, terminal: Terminal): string {
  return `${shownMoment(started, terminal)}${ended ? ` to ${shownMoment(ended, terminal)}` : ""}`;
}
