import { type Action, commandOf, isEdit, pathOf } from "../../domain/tasks/action.js";
import { failureGist } from "../../text/same-failure.js";
import { unique } from "../../text/unique.js";
import { reasonOf } from "../resolutions/describe-remedy.js";
import { editedFiles, listFiles } from "../tasks/task-work.js";

/** Commands that only read, or fail when they find nothing. */
export const lookupCommand =
  /^(?:cd|ls|cat|head|tail|less|find|grep|egrep|rg|ag|fd|test|\[|diff|which|wc|tree|stat|file|pwd|echo|printf|sed -n|awk|jq|env|ps|man|type|git (?:status|diff|log|show|blame|branch|grep|ls-files|rev-parse))(?:\s|$)|^\S+ (?:\S+ )?(?:status|view|list|show|watch|logs?|info|describe|get|explain|--version|--help)\b/;

/** Commands that check or record work, and change nothing a failure depends on. */
const checkCommand =
  /\b(?:tests?|spec|lint|check|typecheck|verify|tsc|vitest|jest|mocha|pytest|rspec|phpunit|ctest|eslint|mypy|ruff|clippy|vet)\b|\bgit (?:add|commit|push|stash)\b/;

const maxCommands = 2;
const maxCommandLength = 80;
const maxReasons = 2;
const maxReason = 120;

/** What was done: edited files and commands that may have changed something. */
export interface WorkTried {
  files: readonly string[];
  /** Why files were edited, as the agent said. */
  reasons: ReadonlyMap<string, string>;
  commands: readonly string[];
}

/** The agent's own edits; without any, the files that changed. Commands that also failed are checks, not remedies. */
export function workTried(actions: readonly Action[], changedFiles: readonly string[] = []): WorkTried {
  const edited = editedFiles(actions.filter(({ success }) => success));
  const commandsOf = (wanted: boolean) =>
    actions
      .filter((action) => action.success === wanted && !isEdit(action))
      .flatMap((each) => commandOf(each) ?? []);
  const failed = commandsOf(false);
  return {
    reasons: reasonsOf(actions),
    files: edited.length > 0 ? edited : changedFiles,
    commands: unique(commandsOf(true)).filter(
      (command) => command !== "" && !isOnlyLooking(command) && !failed.includes(command),
    ),
  };
}

/** What is new since the earlier actions: every edit, and commands that did not run before. */
export function triedSince(now: WorkTried, before: readonly Action[]): WorkTried {
  const known = new Set(before.map(commandOf));
  return { ...now, commands: now.commands.filter((command) => !known.has(command)) };
}

/** Such as "editing a.ts (the price is a number) and running `npm ci`"; empty if nothing was done. */
export function describeTried({ files, commands, reasons }: WorkTried): string {
  const ran = commands.slice(-maxCommands).map(quoted).join(", ");
  const named = files.map((file) => (reasons.has(file) ? `${file} (${reasons.get(file)})` : file));
  return [
    ...(files.length === 0 ? [] : [`editing ${listFiles(named)}`]),
    ...(ran === "" ? [] : [`running ${ran}`]),
  ].join(" and ");
}

/** The last reason for each of the files that were edited last. */
function reasonsOf(actions: readonly Action[]): Map<string, string> {
  const reasons = new Map<string, string>();
  for (const action of actions.toReversed()) {
    const path = isEdit(action) && action.success ? pathOf(action) : undefined;
    const reason = reasonOf(action);
    if (path === undefined || reason === "" || reasons.has(path) || reasons.size === maxReasons) continue;
    reasons.set(path, reason.length > maxReason ? `${reason.slice(0, maxReason)}…` : reason);
  }
  return reasons;
}

function isOnlyLooking(command: string): boolean {
  return lookupCommand.test(command) || checkCommand.test(command);
}

function quoted(command: string): string {
  return `\`${command.length > maxCommandLength ? `${command.slice(0, maxCommandLength)}…` : command}\``;
}

const verdicts = ["did not help", "was not enough"] as const;
const unsolved = "still to solve";

const form = new RegExp(`^((.+?) (?:${verdicts.join("|")})|(?:.+[;.] )?${unsolved}): (.+)$`, "is");

/** The sentence of a failed attempt: what was done, and the remaining or new failure. */
export function triedWithout(done: string, verdict: (typeof verdicts)[number], failure: string): string {
  return `${done} ${verdict}: ${failure}`;
}

/** The part of a sentence that names the remaining failure. */
export function leftToSolve(failure: string): string {
  return `${unsolved}: ${failure}`;
}

/** Equal for two lessons from the same work and the same failure, whatever the verdict. */
export function lessonGist(text: string): string {
  const parts = readTried(text);
  return parts === undefined ? text : `${parts.done}: ${failureGist(parts.failure)}`;
}

/** The parts of such a sentence, before and after the colon; undefined for any other text. */
export function readTried(text: string): { tried: string; done: string; failure: string } | undefined {
  const [, tried, done = "", failure] = form.exec(text) ?? [];
  return tried === undefined || failure === undefined ? undefined : { tried, done, failure };
}
