import {
  checkSkillName,
  maxSkillDescriptionLength,
  type Skill,
  type SkillFix,
} from "../domain/knowledge/skill.js";
import { RalphError } from "../domain/ralph-error.js";
import { type Action, commandOf, isEdit, pathOf } from "../domain/tasks/action.js";
import type { Attempt, EncounteredError } from "../domain/tasks/attempt.js";
import type { Task } from "../domain/tasks/task.js";
import { controlCharacters, replacementCharacter } from "../text/control-characters.js";
import { redact } from "../text/secrets/redact.js";
import { unique } from "../text/unique.js";
import { type Generalise, generaliser } from "./generalise.js";
import { isUpkeep, isVerification } from "./is-verification.js";
import { nameFrom } from "./name-from.js";
import { isLook, stepsOf } from "./steps-of-actions.js";

export interface AttemptRecord extends Attempt {
  actions: readonly Action[];
}

/** A task as it is recorded, with all its attempts. */
export interface DraftSource extends Task {
  attempts: readonly AttemptRecord[];
}

export interface DraftOptions {
  /** The folder of the project. */
  root: string;
  name?: string | undefined;
  /** What went wrong on the way, and what helped. */
  errors: readonly EncounteredError[];
}

const maxItems = 8;
const maxItemLength = 300;

/** Proposes a skill from a task that succeeded: what was done in the end, what went wrong before and what helped. */
export function draftSkill(task: DraftSource, { root, name, errors }: DraftOptions): Skill {
  const attempt = task.attempts.findLast(({ outcome }) => outcome?.status === "success");
  if (attempt === undefined) {
    throw new RalphError("wrong-use", `${task.id} has not succeeded: it is ${task.status}`, {
      hint: "a skill is drafted from what worked",
    });
  }
  const done = attempt.actions.filter(({ success }) => success);
  const edited = done.filter(isEdit).flatMap((action) => pathOf(action) ?? []);
  const inGeneral = generaliser({ objective: task.description, root, edited });
  const generalise: Generalise = (text) => clip(inGeneral(redact(text).text));
  const steps = stepsOf(done, generalise);
  if (steps.length === 0) {
    throw new RalphError("wrong-use", `${task.id} has no record of what was done`, {
      hint: 'log its actions with "ralph task log", then a skill can be drafted',
    });
  }
  const objective = clip(redact(task.description).text.trim().split("\n")[0] ?? task.id);
  const title = generalise(objective);
  return {
    name: checkSkillName(name ?? nameFrom(objective)),
    title,
    description: describe(title, objective),
    prerequisites: prerequisitesOf(done, edited, generalise),
    steps,
    common_errors: fixesOf(errors, generalise),
    exit_criteria: criteriaOf(task, attempt, generalise),
    metadata: {
      "drafted-from": task.id,
      attempts: task.attempts.map(({ id }) => `${task.id}/${id}`).join(" "),
      succeeded: `${task.id}/${attempt.id}`,
    },
  };
}

function describe(title: string, objective: string): string {
  const text = title === objective ? `${title}.` : `${title}. For example: ${objective}.`;
  const whole = `${text.replaceAll("..", ".")} Use for tasks of this kind.`;
  return [...whole].slice(0, maxSkillDescriptionLength).join("");
}

/** What was looked at before the first change and not changed itself. */
function prerequisitesOf(
  done: readonly Action[],
  edited: readonly string[],
  generalise: Generalise,
): string[] {
  const firstEdit = done.findIndex(isEdit);
  const before = done.slice(0, firstEdit === -1 ? 0 : firstEdit).filter(isLook);
  const paths = before.flatMap((action) => pathOf(action) ?? []).filter((path) => !edited.includes(path));
  return unique(paths.map((path) => `${generalise(path)} exists`)).slice(0, maxItems);
}

/** Errors that went away, by what made them go. */
function fixesOf(errors: readonly EncounteredError[], generalise: Generalise): SkillFix[] {
  const fixes = new Map<string, SkillFix>();
  for (const { message, type, resolution } of errors) {
    if (resolution === undefined || resolution.trim() === "") continue;
    const error = asCode(generalise(message || type));
    if (!fixes.has(error)) fixes.set(error, { error, fix: generalise(resolution) });
  }
  return [...fixes.values()].slice(0, maxItems);
}

/** A colon separates an error from what helps, unless it stands in code. */
function asCode(error: string): string {
  return /[:`]/.test(error) ? `\`${error.replaceAll("`", "'")}\`` : error;
}

/** What was asked for, and the check that passed at the end. */
function criteriaOf(task: DraftSource, attempt: AttemptRecord, generalise: Generalise): string[] {
  const command = findCheck(task.attempts.slice(0, task.attempts.indexOf(attempt) + 1));
  const criteria = [
    ...(task.completion_criteria ? [generalise(task.completion_criteria)] : []),
    ...(command === undefined ? [] : [`\`${generalise(command)}\` passes`]),
    ...task.constraints.map(generalise),
  ];
  return unique(criteria.length > 0 ? criteria : ["The result is what the objective asks for"]);
}

/** The command that failed on the way and passed in the last attempt, a check if there is one; else its last check. */
function findCheck(attempts: readonly AttemptRecord[]): string | undefined {
  const failed = new Set<string>();
  const passed = new Map<string, "at last" | "at once">();
  for (const attempt of attempts) {
    passed.clear();
    for (const action of attempt.actions) {
      const command = commandOf(action);
      if (command === undefined || isLook(action)) continue;
      // What is taken out of a map and put in again stands last.
      passed.delete(command);
      if (!action.success) failed.add(command);
      else passed.set(command, failed.has(command) ? "at last" : "at once");
    }
  }
  const commands = [...passed.keys()].reverse().filter((command) => !isUpkeep(command));
  const mended = commands.filter((command) => passed.get(command) === "at last");
  return mended.find(isVerification) ?? mended[0] ?? commands.find(isVerification);
}

/** One line without what could harm a screen, cut between two words. */
function clip(text: string): string {
  const line = text.replace(/\s+/g, " ").trim().replace(controlCharacters, replacementCharacter);
  if (line.length <= maxItemLength) return line;
  const cut = line.slice(0, maxItemLength);
  return `${cut.includes(" ") ? cut.slice(0, cut.lastIndexOf(" ")) : cut}…`;
}
