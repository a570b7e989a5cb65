import { type Action, commandOf, isEdit, pathOf } from "../domain/tasks/action.js";
import { isCheck, isLookup, plainCommand } from "../domain/tasks/command-kind.js";
import { unique } from "../text/unique.js";
import { looseStem } from "../words/stem.js";
import { wordsOf } from "../words/words.js";

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
 * Condenses successful actions into steps: initial reads are one step, edits of a file are one step at the first edit, and repeated runs of
 * a command are one step at the last run.
 */
export function stepsOf(done: readonly Action[], generalise: Generalise): string[] {
  const steps = new Map<string, Step>();
  for (const action of done) {
    const step = stepOf(action, generalise);
    // Reading during the work is not a step.
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

/** Replaces task-specific names with placeholders. */
export type Generalise = (text: string) => string;

export interface Particulars {
  objective: string;
  /** The project folder, which is removed from paths. */
  root: string;
  /** Files that were written or edited. */
  edited: readonly string[];
}

const genericNames = new Set(
  "app config index init lib main mod package readme server setup test tests types schema routes router".split(
    " ",
  ),
);
const minSubjectLength = 3;
const minSiblings = 2;

/**
 * Generalises the name that the edited files share or the objective mentions (`todos` in `src/routes/todos.ts` becomes `{name}`), sibling
 * files with the same extension (`{file}`), and absolute paths of the project.
 */
export function generaliser({ objective, root, edited }: Particulars): Generalise {
  const withoutRoot = (text: string) => text.replaceAll(`${root}/`, "").replaceAll(root, ".");
  const paths = edited.map(withoutRoot);
  const subjects = subjectsOf(paths, objective);
  const named = (text: string) =>
    subjects.reduce(
      (result, subject, index) => result.replace(wholeWord(subject), placeholder("name", index)),
      withoutRoot(text),
    );
  const siblings = siblingsOf(paths.map(named));
  return (text) =>
    siblings.reduce((result, [path, general]) => result.replaceAll(path, general), named(text));
}

/** Base names that two edited files share, or that the objective mentions in any inflection. */
function subjectsOf(paths: readonly string[], objective: string): string[] {
  const asked = new Set(wordsOf(objective).map(looseStem));
  const counts = new Map<string, number>();
  for (const path of new Set(paths)) {
    const name = /([^/\\]*)$/.exec(path)?.[1]?.replace(/\..*$/s, "").toLowerCase() ?? "";
    const subject = name.replace(/^(?:test|spec)[_-]|[_-](?:test|spec)$/, "");
    if (subject.length < minSubjectLength || genericNames.has(subject)) continue;
    counts.set(subject, (counts.get(subject) ?? 0) + 1);
  }
  return [...counts]
    .filter(([subject, count]) => count > 1 || asked.has(looseStem(subject)))
    .sort(([one, often], [other, oftenOther]) => oftenOther - often || other.length - one.length)
    .map(([subject]) => subject);
}

/** Paths of several files with the same extension in one folder, each with their common placeholder. */
function siblingsOf(paths: readonly string[]): [string, string][] {
  const groups = new Map<string, Set<string>>();
  for (const path of paths) {
    const [, folder = "", ending = ""] = /^(.*[/\\])[^/\\.]+((?:\.[^/\\]*)?)$/s.exec(path) ?? [];
    const general = `${folder}{file}${ending}`;
    if (folder !== "" && !path.includes("{"))
      groups.set(general, (groups.get(general) ?? new Set()).add(path));
  }
  return [...groups]
    .filter(([, members]) => members.size >= minSiblings)
    .flatMap(([general, members]) => [...members].map((path): [string, string] => [path, general]))
    .sort(([one], [other]) => other.length - one.length);
}

function wholeWord(word: string): RegExp {
  const plain = word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`(?<![A-Za-z0-9{])${plain}(?![A-Za-z0-9}])`, "gi");
}

function placeholder(word: string, index: number): string {
  return index === 0 ? `{${word}}` : `{${word}${index + 1}}`;
}
