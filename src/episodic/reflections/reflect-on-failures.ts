import { type Action, commandOf } from "../../domain/tasks/action.js";
import { describeFailure, type Failure, placeOf } from "../../failures/failure.js";
import { capitalised } from "../../text/capitalised.js";
import { counted } from "../../text/counted.js";
import { sameFile } from "../tasks/task-work.js";
import {
  asSentences,
  type Comparison,
  compareFailures,
  type ReflectionText,
  type WorkReport,
} from "./work-report.js";
import {
  describeTried,
  leftToSolve,
  lookupCommand,
  triedWithout,
  type WorkTried,
  workTried,
} from "./work-tried.js";

/** What failed, how that compares with the previous work, and what was tried. Each field stands alone and spells out the failure once. */
export function reflectOnFailures(report: WorkReport): ReflectionText {
  const { failures, actions, previous, reason, limit, changedFiles } = report;
  const [first, ...others] = failures as [Failure, ...Failure[]];
  const tried = workTried(actions, changedFiles);
  const comparison = compareFailures(failures, previous);
  const missed = missedFile(first, tried.files);
  const rest =
    others.length === 0
      ? ""
      : `, and ${others.length} more (${others.slice(0, 3).map(shortName).join(", ")})`;
  const why = [reason, limit].filter((text) => text !== undefined && text !== "").join("; ");
  return {
    observation: `${counted(failures.length, "failure")}${why ? ` (${why})` : ""}: ${describeFailure(first)}${rest}`,
    analysis: asSentences([describeComparison(comparison), describeGap(actions, tried, missed)]),
    learning: lessonOf(comparison, first, tried),
    action_items: [
      ...(missed === undefined ? [] : [`Edit ${missed}, which was not touched`]),
      ...advise(failures),
      ...rerunCommand(actions),
    ],
  };
}

/** The failed command that should run again. */
export function rerunCommand(actions: readonly Action[]): string[] {
  const commands = actions.filter(({ success }) => !success).flatMap((action) => commandOf(action) ?? []);
  const failing = commands.findLast((command) => !lookupCommand.test(command));
  return failing === undefined ? [] : [`Run \`${failing}\` again to check`];
}

function shortName({ test, code, file, message }: Failure): string {
  return test ?? code ?? file ?? message.slice(0, 40);
}

function describeComparison(comparison: Comparison): string {
  switch (comparison.kind) {
    case "first":
      return "";
    case "same":
      return `Same failure as in ${comparison.previous.name}`;
    case "progress":
      return `Fewer failures than in ${comparison.previous.name}: ${comparison.left} of ${comparison.previous.errors.length} left`;
    case "new":
      return `A new failure; ${comparison.previous.name} had ${comparison.previous.errors[0]}`;
  }
}

/** What was not done; the lesson says what was. */
export function describeGap(
  actions: readonly Action[],
  tried: WorkTried,
  missed: string | undefined,
): string {
  const done = describeTried(tried);
  if (done === "")
    return actions.length === 0 ? "" : `None of ${counted(actions.length, "action")} edited a file`;
  return missed === undefined ? "" : `${missed} was not edited`;
}

function lessonOf(comparison: Comparison, first: Failure, tried: WorkTried): string {
  const failure = describeFailure(first);
  const done = capitalised(describeTried(tried));
  if (comparison.kind === "same") return triedWithout(done || "Trying again", "did not help", failure);
  if (comparison.kind === "progress")
    return `${done === "" ? "Solved:" : `${done} helped with`} ${comparison.gone[0]}; ${leftToSolve(failure)}`;
  return done === "" ? capitalised(leftToSolve(failure)) : triedWithout(done, "was not enough", failure);
}

/** The project file that the failure names, if only others were edited. A failing test is where a problem shows, not what to edit. */
function missedFile({ file, test }: Failure, edited: readonly string[]): string | undefined {
  if (file === undefined || test !== undefined) return undefined;
  if (edited.length === 0 || !isOfTheProject(file)) return undefined;
  return edited.some((candidate) => sameFile(candidate, file)) ? undefined : file;
}

/** Messages that suggest a cause, as questions: the cause is not known, and a wrong remedy costs an attempt. */
const questions: readonly [RegExp, (...found: string[]) => string][] = [
  [
    /^(?:.*: )?([\w./@+-]+): (?:command )?not found/,
    (name) => `Is ${name} installed, and found by the shell?`,
  ],
  [
    /Cannot find (?:module|package) '(\.[^']+|(?!node_modules\/)[^'@]+\/[^']+\.(?:[cm]?[jt]sx?|json|vue|svelte))'/,
    (path) => `Does ${path} exist, spelled like this?`,
  ],
  [
    /Cannot find (?:module|package) '([^']+)'/,
    (name) => `Is ${name} installed, or built if it is a package of this project?`,
  ],
  [/No module named '?([\w.]+)'?/, (name) => `Is the Python module ${name} installed, and on the path?`],
  [/Missing script: "?([^"\n]+?)"?$/, (name) => `Which package.json should have the script "${name}"?`],
  [/ECONNREFUSED ([^\s,;]+)/, (address) => `Is the server that should listen on ${address} running?`],
  [/EADDRINUSE\D*([\w.:[\]]*:?\d+)/, (address) => `What listens on ${address} already?`],
  [/out of memory|Allocation failed/, () => "What takes the memory: one step, or too many at once?"],
  [
    /ERESOLVE|ResolutionImpossible|could not resolve dependency|conflicting (?:peer )?dependenc/i,
    () => "Which package asks for the version that conflicts?",
  ],
  [/[Mm]erge conflict in (\S+)/, (path) => `Resolve the conflict in ${path}`],
  [
    /No rule to make target [`'‘"]([^`'’"]+)/,
    (target) => `Is there a rule for ${target}, spelled like this?`,
  ],
  [/undefined reference to [`'‘"]([^`'’"]+)/, (name) => `Is ${name} defined, and is what defines it linked?`],
  [
    /(?:EACCES|[Pp]ermission denied)\W+(?:\w+ )?'?([/.\w-]+)/,
    (path) => `Who may read, write or run ${path}?`,
  ],
];

/** Installed packages and files of the system or the runtime, which no task edits. */
const foreignPath =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|vendor|\.?venv|\.cargo|\.rustup|gems|pkg[\\/]mod)[\\/]|^node:|^\/(?:usr|opt|lib|nix)\//;

function isOfTheProject(path: string): boolean {
  return !foreignPath.test(path);
}

/** Next steps for the failures, mostly for the first one, which the observation describes. */
export function advise([first, ...others]: readonly Failure[]): string[] {
  if (first === undefined) return [];
  const question = questionFor(first);
  return [
    ...(question === undefined ? [] : [question]),
    ...(first.file === undefined || !isOfTheProject(first.file) ? [] : [`Look at ${placeOf(first)}`]),
    ...others
      .filter(({ file }) => file === undefined || isOfTheProject(file))
      .slice(0, 2)
      .map((failure) => `Then fix ${describeFailure(failure)}`),
  ];
}

function questionFor({ message }: Failure): string | undefined {
  for (const [pattern, ask] of questions) {
    const found = pattern.exec(message);
    if (found !== null) return ask(...found.slice(1));
  }
  return undefined;
}
