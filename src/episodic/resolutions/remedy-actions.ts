import { type Action, commandOf, isEdit, isVerdict, pathOf, ranCommand } from "../../domain/tasks/action.js";
import {
  commandShape,
  isBuild,
  isCheck,
  isLookup,
  isMending,
  isRecording,
  isRetry,
  plainCommand,
} from "../../domain/tasks/command-kind.js";
import { chainOf, isSetUp } from "../../domain/tasks/shell-line.js";
import type { Failure } from "../../failures/failure.js";
import { wordsOf } from "../../words/words.js";
import { fileName, sameFile } from "../tasks/task-work.js";
import { type Change, changesOf } from "./describe-remedy.js";

const maxActions = 3;
const fileLookup =
  /^(?:ls|cat|head|tail|grep|egrep|rg|ag|find|fd|test|\[|which|sed|awk|stat|diff|cmp|cd|type|git (?:diff|show|grep|log))\b/;

/** Whether a command only searches for files or text: its failure means that nothing was found, not that something is wrong. */
export function isFileLookup(command: string): boolean {
  return fileLookup.test(commandShape(command));
}

/** Whether a successful action changed something that may have solved a failure. */
export function isRemedyAction(action: Action, failedCommands: ReadonlySet<string>): boolean {
  if (isEdit(action)) return true;
  if (isVerdict(action)) return false;
  const command = commandOf(action);
  if (command === undefined || isRetry(command) || failedCommands.has(commandShape(command))) return false;
  const parts = chainOf(command);
  return parts.some(judges) ? workBefore(parts).some((part) => !isSetUp(part)) : changesSomething(command);
}

function changesSomething(command: string): boolean {
  return isMending(command) || (!isLookup(command) && (isBuild(command) || !isCheck(command)));
}

function judges(command: string): boolean {
  return isCheck(command) && !isMending(command);
}

/** What a line does before its last check: later commands cannot have helped, and recording work changes nothing. */
function workBefore(parts: readonly string[]): string[] {
  return parts
    .slice(0, parts.findLastIndex(judges))
    .filter((part) => isSetUp(part) || (changesSomething(part) && !isRecording(part)));
}

/** A command line without its checks and what follows them: `npm install x && npm test`. */
export function withoutChecks(command: string): string {
  const parts = chainOf(command);
  const work = parts.some(judges) ? workBefore(parts) : parts;
  return work.every(isSetUp) ? command : work.join(" && ");
}

/** Drops work that was undone, and the undoing of what did not help. */
export function withoutUndone(actions: readonly Action[], inVain: readonly Action[]): Action[] {
  const undone = new Set<Action>();
  for (const [index, action] of actions.entries()) {
    const tried = actions.slice(0, index).find((each) => !undone.has(each) && isUndone(each, action));
    if (tried !== undefined) undone.add(tried).add(action);
    else if (inVain.some((each) => isUndone(each, action))) undone.add(action);
  }
  return actions.filter((action) => !undone.has(action));
}

/** Whether an action undoes, or rewrites, most of an earlier edit. */
export function isTakenBack(done: Action, action: Action): boolean {
  if (!isEdit(done)) return false;
  if (!isEdit(action)) return restores(action, pathOf(done) ?? "");
  if (pathOf(done) !== pathOf(action)) return false;
  const before = [...wordChanges(done)];
  const after = wordChanges(action);
  const reversed = before.filter(([word, count]) => Math.sign(after.get(word) ?? 0) === -Math.sign(count));
  return before.length > 0 && reversed.length >= before.length * undoneShare;
}

const undoneShare = 0.6;

/** Whether a command restores an earlier version of a file. */
function restores(action: Action, path: string): boolean {
  const command = commandOf(action) ?? "";
  if (!/\bgit\s+(?:checkout|restore|revert|stash|reset)\b/.test(command)) return false;
  const name = path.split("/").at(-1) ?? "";
  return (
    /\bgit\s+(?:revert|reset --hard|stash(?!\s+pop))/.test(command) || (name !== "" && command.includes(name))
  );
}

/** Whether a command undoes changes of any files. */
export function isRestoring(action: Action): boolean {
  return /\bgit\s+(?:checkout\s+(?!-b\b|main$|master$)|restore|revert|stash(?!\s+pop)|reset)/.test(
    isEdit(action) ? "" : (commandOf(action) ?? ""),
  );
}

/** Whether an edit only undoes an earlier one of the same file. */
export function isUndone(tried: Action, action: Action): boolean {
  if (!isEdit(tried)) return false;
  if (!isEdit(action)) return restores(action, pathOf(tried) ?? "");
  if (pathOf(tried) !== pathOf(action)) return false;
  const before = changesOf(tried).map(compact);
  const after = changesOf(action).map(compact);
  return after.length > 0 && after.every((change) => before.some((each) => restoresText(each, change)));
}

/** Whether the text is as it was before, whatever the boundaries of the two edits. */
function restoresText(tried: Change, change: Change): boolean {
  if (change.before === "" || tried.after === "") return false;
  return (
    tried.after.replace(change.before, () => change.after) === tried.before ||
    change.before.replace(tried.after, () => tried.before) === change.after
  );
}

function compact({ before, after }: Change): Change {
  const withoutSpaces = (text: string) => text.replace(/\s+/g, "");
  return { before: withoutSpaces(before), after: withoutSpaces(after) };
}

/** By how much an edit changes the count of each word. */
function wordChanges(action: Action): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (text: string, step: number) => {
    for (const word of text.match(/[\p{L}\p{N}_$.]+/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + step);
  };
  for (const { before, after } of changesOf(action)) {
    count(after, 1);
    count(before, -1);
  }
  return new Map([...counts].filter(([, difference]) => difference !== 0));
}

interface RemedyContext {
  failure: Failure;
  /** The commands that showed it. */
  commands: readonly string[];
  /** Failures that were present at the same time. */
  others: readonly Failure[];
  /** Actions that already explain why another failure went away. */
  explained: ReadonlySet<Action>;
  /** The task succeeded, but the check that showed the failure did not run again. */
  isByOutcome: boolean;
}

/** The actions that most likely made a failure go away, in their order. */
export function chooseRemedy(
  actions: readonly Action[],
  { failure, commands, others, explained, isByOutcome }: RemedyContext,
): Action[] {
  const unlessEmpty = (chosen: Action[], all: readonly Action[]) => (chosen.length > 0 ? chosen : [...all]);
  const isCommand = (action: Action, test: (command: string) => boolean) =>
    !isEdit(action) && test(commandOf(action) ?? "");
  let chosen = withoutOlderVariants(actions);
  // The failed command in another form, such as an installation with other versions, is the remedy.
  chosen = unlessEmpty(
    chosen.filter((action) =>
      isCommand(action, (command) => commands.some((each) => isVariantOf(each, command))),
    ),
    chosen,
  );
  const unexplained = chosen.filter((action) => !explained.has(action));
  // Without another run of the check, nothing shows that it helped here, too.
  chosen = isByOutcome ? unexplained : unlessEmpty(unexplained, chosen);
  const unrecorded = chosen.filter((action) => !isCommand(action, isRecording));
  chosen = isByOutcome ? unrecorded : unlessEmpty(unrecorded, chosen);
  chosen = unlessEmpty(
    chosen.filter((action) => !isProse(action) || concerns(action, failure) || isNamed(action, failure)),
    chosen,
  );
  if (isOfNetwork(failure)) chosen = chosen.filter((action) => !isEdit(action) || isAboutNetwork(action));
  // Without another run of the check, a final build counts as the check.
  if (isByOutcome) chosen = chosen.filter((action) => !isCommand(action, isBuild));
  // A command that checks nothing, and that was not run again, may simply have been abandoned.
  if (isByOutcome && commands.length > 0 && !commands.some(isAboutWork))
    chosen = chosen.filter(
      (action) =>
        affinity(action, failure) > 1 ||
        isCommand(action, (command) => commands.some((each) => isVariantOf(each, command))),
    );
  chosen = unlessEmpty(
    chosen.filter((action) => concerns(action, failure) || !others.some((other) => concerns(action, other))),
    chosen,
  );
  if (chosen.length <= maxActions) return chosen;
  const ranked = chosen
    .map((action, place) => ({ action, score: affinity(action, failure) + place / (10 * chosen.length) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, maxActions)
    .map(({ action }) => action);
  return chosen.filter((action) => ranked.includes(action));
}

function isAboutWork(command: string): boolean {
  return isCheck(command) || isBuild(command) || isLookup(command) || isRetry(command);
}

/** The last form of a failed command that passed, unless it is a check, whose failure is about the work. */
export function lastForm(actions: readonly Action[], failed: readonly string[]): Action | undefined {
  if (failed.length === 0 || failed.some(isAboutWork)) return undefined;
  return actions.findLast((action) => {
    const command = ranCommand(action);
    return command !== undefined && failed.some((each) => hasSameAim(each, command));
  });
}

/** Keeps only the last of several forms of a command, such as an installation with other versions. */
function withoutOlderVariants(actions: readonly Action[]): Action[] {
  const forms = actions.map((action) => {
    const command = ranCommand(action);
    return command === undefined ? undefined : plainWords(command);
  });
  return actions.filter((_, index) => {
    const form = forms[index];
    return form === undefined || !forms.slice(index + 1).some((later) => later && areVariants(form, later));
  });
}

const installing =
  /^(?:sudo )?(?:[\w.~-]*\/)*(?:npm|pnpm|yarn|bun|pip3?|python3? -m pip|uv|uv pip|poetry|pipenv|pipx|cargo|gem|bundle|composer|brew|apt|apt-get|dnf|apk)\s+(?:install|i|add|require)\b/;

/** Whether two package managers were to install the same packages. */
function installSame(first: string, second: string): boolean {
  const [packages, others] = [packagesOf(plainCommand(first)), packagesOf(plainCommand(second))];
  return packages.some((name) => others.includes(name));
}

function packagesOf(command: string): string[] {
  if (!installing.test(command)) return [];
  const names = command.replace(installing, "").split(/\s+/);
  return names.filter((name) => /^@?[a-z]/i.test(name) && !/^[\w.-]+\//.test(name)).map(withoutVersion);
}

function withoutVersion(name: string): string {
  return name.replace(/(?<=.)@.*$|[=<>~^].*$/, "");
}

/** Whether a command does the same to the same targets, with other options or by another program. */
function hasSameAim(first: string, second: string): boolean {
  if (installSame(first, second)) return true;
  const objects = (command: string) =>
    plainWords(command).flatMap((word) => (word.startsWith("-") ? [] : [withoutVersion(word)]));
  const others = objects(second);
  return isVariantOf(first, second) && objects(first).every((word) => others.includes(word));
}

/** Whether a command is another one with other options, versions or variables. */
export function isVariantOf(first: string, second: string): boolean {
  return areVariants(plainWords(first), plainWords(second));
}

function plainWords(command: string): string[] {
  return plainCommand(command).split(/\s+/);
}

function areVariants(words: readonly string[], others: readonly string[]): boolean {
  const isOption = (word: string) => word.startsWith("-");
  const subcommand = (all: readonly string[]) =>
    all
      .filter((word) => !isOption(word))
      .slice(0, 2)
      .join(" ");
  if (subcommand(words) !== subcommand(others) || words.length < 3) return false;
  const shared = words.filter((word) => others.includes(word)).length;
  return shared >= Math.min(words.length, others.length) * 0.6;
}

/** Failures that depend on the network or a busy server, whatever is changed meanwhile. */
const ofNetwork =
  /\b(?:ETIMEDOUT|ECONNRESET|EAI_AGAIN|ENETUNREACH|socket hang up|connection (?:timed out|reset)|too many requests|rate limit(?:ed)?|bad gateway|gateway time-?out|service (?:temporarily )?unavailable)\b/i;
const aboutNetwork =
  /time-?out|retr(?:y|ies)|back-?off|hosts?\b|\bports?\b|(?<![a-z])url|prox(?:y|ies)|keep-?alive|mock|stub|fake|\bnock\b|\bmsw\b|endpoint|throttle|concurren|\bdns\b|\bttl\b|\b\d{1,3}(?:\.\d{1,3}){3}\b/i;

function isOfNetwork({ code = "", message }: Failure): boolean {
  return ofNetwork.test(`${code} ${message}`);
}

/** Whether an edit changes how a server is reached or awaited, or whether it is. */
function isAboutNetwork(action: Action): boolean {
  return changesOf(action).some(({ before, after }) => aboutNetwork.test(`${before}\n${after}`));
}

const prose = /\.(?:md|mdx|markdown|rst|adoc)$|(?:^|[\\/])(?:changelog|readme|license|authors)$/i;

/** Whether an edit is of prose, which is written along with the work. */
function isProse(action: Action): boolean {
  return isEdit(action) && prose.test(pathOf(action) ?? "");
}

function isNamed(action: Action, { test = "", message }: Failure): boolean {
  const path = pathOf(action);
  return path !== undefined && `${test} ${message}`.toLowerCase().includes(fileName(path).toLowerCase());
}

function concerns(action: Action, { file }: Failure): boolean {
  const path = isEdit(action) ? pathOf(action) : undefined;
  return path !== undefined && file !== undefined && sameFile(path, file);
}

function affinity(action: Action, failure: Failure): number {
  const words = new Set(
    wordsOf(`${failure.code ?? ""} ${failure.message}`).filter((word) => word.length > 3),
  );
  const own = new Set(
    wordsOf(`${commandOf(action) ?? ""} ${pathOf(action) ?? ""} ${action.reasoning ?? ""}`),
  );
  const shared = [...own].filter((word) => words.has(word)).length;
  return (concerns(action, failure) ? 2 : 0) + Math.min(2, shared) + (action.reasoning ? 1 : 0);
}
