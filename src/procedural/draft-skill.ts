import {
  checkSkillName,
  maxSkillDescriptionLength,
  maxSkillNameLength,
  type Skill,
  type SkillFix,
} from "../domain/knowledge/skill.js";
import { RalphError } from "../domain/ralph-error.js";
import { type Action, commandOf, isEdit, isVerdict, pathOf } from "../domain/tasks/action.js";
import type { Attempt, EncounteredError } from "../domain/tasks/attempt.js";
import {
  commandShape,
  isBuild,
  isCheck,
  isHousekeeping,
  isServing,
  plainCommand,
} from "../domain/tasks/command-kind.js";
import type { Task } from "../domain/tasks/task.js";
import { withoutControls } from "../text/control-characters.js";
import { redact } from "../text/secrets/redact.js";
import { unique } from "../text/unique.js";
import { stopWords } from "../words/word-lists.js";
import { type Generalise, generaliser, isReadOnly, stepsOf } from "./draft-steps.js";

export interface AttemptRecord extends Attempt {
  actions: readonly Action[];
}

/** A recorded task with all its attempts. */
export interface DraftSource extends Task {
  attempts: readonly AttemptRecord[];
}

export interface DraftOptions {
  /** The project folder. */
  root: string;
  name?: string | undefined;
  /** Errors during the task, and their resolutions. */
  errors: readonly EncounteredError[];
  /** Actions that did not help. */
  inVain: readonly Action[];
}

const maxItems = 8;
const maxItemLength = 300;

/** Drafts a skill from a successful task: the steps that worked, the errors and their fixes. */
export function draftSkill(task: DraftSource, { root, name, errors, inVain }: DraftOptions): Skill {
  const last = task.attempts.findLastIndex(({ outcome }) => outcome?.status === "success");
  const attempt = task.attempts[last];
  if (attempt === undefined) {
    throw new RalphError("wrong-use", `${task.id} has not succeeded: its status is ${task.status}`, {
      hint: "only a successful task can become a skill",
    });
  }
  const attempts = task.attempts.slice(0, last + 1);
  const wasted = new Set(inVain);
  const done = attempts
    .flatMap(({ actions }) => actions)
    .filter((action) => action.success && !wasted.has(action));
  const edited = done.filter(isEdit).flatMap((action) => pathOf(action) ?? []);
  const withPlaceholders = generaliser({ objective: task.description, root, edited });
  const generalise: Generalise = (text) => clip(withPlaceholders(redact(text).text));
  const steps = stepsOf(done, generalise);
  if (steps.length === 0) {
    throw new RalphError("wrong-use", `${task.id} has no recorded actions`, {
      hint: 'log its actions with "ralph task log" first',
    });
  }
  const objective = clip(redact(task.description).text.trim().split("\n")[0] ?? task.id);
  const title = generalise(objective);
  return {
    name: checkSkillName(name ?? skillNameFrom(objective)),
    title,
    description: describe(title, objective),
    prerequisites: prerequisitesOf(done, edited, generalise),
    steps,
    common_errors: fixesOf(errors, generalise),
    exit_criteria: criteriaOf(task, findCheck(attempts), generalise),
    metadata: {
      "drafted-from": task.id,
      attempts: task.attempts.map(({ id }) => `${task.id}/${id}`).join(" "),
      succeeded: `${task.id}/${attempt.id}`,
    },
  };
}

function describe(title: string, objective: string): string {
  const text = title === objective ? `${title}.` : `${title}. For example: ${objective}.`;
  const whole = `${text.replaceAll("..", ".")} Use it for similar tasks.`;
  return [...whole].slice(0, maxSkillDescriptionLength).join("");
}

/** Files read before the first edit and never edited. */
function prerequisitesOf(
  done: readonly Action[],
  edited: readonly string[],
  generalise: Generalise,
): string[] {
  const firstEdit = done.findIndex(isEdit);
  const before = done.slice(0, firstEdit === -1 ? 0 : firstEdit).filter(isReadOnly);
  const paths = before.flatMap((action) => pathOf(action) ?? []).filter((path) => !edited.includes(path));
  return unique(paths.map((path) => `${generalise(path)} exists`)).slice(0, maxItems);
}

/** Errors with a known resolution. */
function fixesOf(errors: readonly EncounteredError[], generalise: Generalise): SkillFix[] {
  const fixes = new Map<string, SkillFix>();
  for (const { message, type, resolution } of errors) {
    if (resolution === undefined || resolution.trim() === "") continue;
    const error = asCode(generalise(message || type));
    if (!fixes.has(error)) fixes.set(error, { error, fix: generalise(resolution) });
  }
  return [...fixes.values()].slice(0, maxItems);
}

/** A colon separates an error from its fix, except inside code. */
function asCode(error: string): string {
  return /[:`]/.test(error) ? `\`${error.replaceAll("`", "'")}\`` : error;
}

/** The completion criteria, and the check that passed at the end. */
function criteriaOf(task: DraftSource, check: string | undefined, generalise: Generalise): string[] {
  const criteria = [
    ...(task.completion_criteria ? [generalise(task.completion_criteria)] : []),
    ...(check === undefined ? [] : [`\`${generalise(check)}\` passes`]),
    ...task.constraints.map(generalise),
  ];
  return unique(criteria.length > 0 ? criteria : ["The result does what the objective asks for"]);
}

interface PassedCommand {
  command: string;
  /** It failed before it passed. */
  isFixed: boolean;
  isCheck: boolean;
}

/**
 * The last check that passed in the last attempt, preferably one that failed before; else another command that failed before, such as a
 * build. Starting a service does not count.
 */
function findCheck(attempts: readonly AttemptRecord[]): string | undefined {
  const failed = new Set<string>();
  const passed = new Map<string, PassedCommand>();
  for (const { actions } of attempts) {
    passed.clear();
    for (const action of actions) {
      const command = commandOf(action);
      if (command === undefined || isReadOnly(action)) continue;
      const shape = commandShape(command);
      // Deleting first moves the command to the end of the map.
      passed.delete(shape);
      if (!action.success) failed.add(shape);
      else {
        const isChecking = isVerdict(action) || (isCheck(command) && !isBuild(command));
        passed.set(shape, {
          command: plainCommand(command),
          isFixed: failed.has(shape),
          isCheck: isChecking,
        });
      }
    }
  }
  const commands = [...passed.values()].reverse();
  const check =
    commands.find((each) => each.isCheck && each.isFixed) ??
    commands.find((each) => each.isCheck) ??
    commands.find(({ isFixed, command }) => isFixed && !isServing(command) && !isHousekeeping(command));
  return check?.command;
}

/** One line without control characters, cut at a word. */
function clip(text: string): string {
  const line = withoutControls(text.replace(/\s+/g, " ").trim());
  if (line.length <= maxItemLength) return line;
  const cut = line.slice(0, maxItemLength);
  return `${cut.includes(" ") ? cut.slice(0, cut.lastIndexOf(" ")) : cut}…`;
}

const maxWords = 6;

/** Makes a skill name from the significant words of a title. */
export function skillNameFrom(title: string): string {
  const words =
    title
      .normalize("NFKD")
      // Accents and contractions: "résumé's" is one word.
      .replace(/\p{M}|['’](?:s|t|re|ve|ll|d|m)?\b/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const significant = words.filter((word) => !stopWords.has(word));
  let name = "";
  for (const word of (significant.length > 0 ? significant : words).slice(0, maxWords)) {
    const longer = name === "" ? word.slice(0, maxSkillNameLength) : `${name}-${word}`;
    if (longer.length > maxSkillNameLength) break;
    name = longer;
  }
  return checkSkillName(name);
}
