import { type Action, isEdit, patchOf, pathOf, ranCommand } from "../../domain/tasks/action.js";
import type { Failure } from "../../failures/failure.js";
import { wordsOf } from "../../words/words.js";
import { sameFile } from "../tasks/task-work.js";
import { withoutChecks } from "./remedy-actions.js";

const maxSnippet = 110;
const maxReason = 160;

/** What was done, as advice: "run `x`", "change `a` to `b` in c.ts". */
export function describeRemedy(actions: readonly Action[], failure?: Failure): string | undefined {
  const steps = actions.flatMap((action) => describeStep(action, failure) ?? []);
  return steps.length === 0 ? undefined : [...new Set(steps)].join(", then ");
}

function describeStep(action: Action, failure: Failure | undefined): string | undefined {
  const reason = clip(reasonOf(action), maxReason);
  const command = commandText(action);
  if (command !== undefined)
    return withReason(`run ${quoted(clip(withoutChecks(command), maxSnippet * 2))}`, reason);
  const path = pathOf(action);
  if (path === undefined) return reason || undefined;
  const [change] = changesOf(action).toSorted((one, other) => weightOf(other) - weightOf(one));
  // Next time the failure will be in another file.
  const where = failure?.file !== undefined && sameFile(path, failure.file) ? "" : ` in ${path}`;
  if (change === undefined) return withReason(`edit ${path}`, reason);
  return withReason(describeChange(change, where, path), reason);
}

/** A command as one line; for a command that is passed a script, the script. */
function commandText(action: Action): string | undefined {
  const first = ranCommand(action);
  const { command } = action.params;
  return first?.includes("<<") && typeof command === "string" ? oneLine(command) : first;
}

function withReason(step: string, reason: string): string {
  return reason === "" ? step : `${reason} (${step})`;
}

function describeChange({ before, after }: Change, where: string, path: string): string {
  const { removed, added, isInside } = difference(before, after);
  if (before.trim() === "") return `add ${path} with ${quoted(clip(firstLines(after), maxSnippet))}`;
  if (added === "") return `remove ${quoted(clip(removed, maxSnippet))}${where}`;
  if (removed === "" && !isInside) return `add ${quoted(clip(added, maxSnippet))}${where}`;
  const [from, to] = aroundDifference(removed || oneLine(before), added);
  return `change ${quoted(clip(from, maxSnippet))} to ${quoted(clip(to, maxSnippet))}${where}`;
}

const shownContext = 24;

/** Leaves out most of a long common prefix. */
function aroundDifference(before: string, after: string): [string, string] {
  let shared = 0;
  while (shared < before.length && before[shared] === after[shared]) shared += 1;
  const start = before.lastIndexOf(" ", Math.max(0, shared - shownContext));
  return start <= 0 || after.length <= maxSnippet
    ? [before, after]
    : [`…${before.slice(start)}`, `…${after.slice(start)}`];
}

/** The lines that differ; `isInside` if only part of a line does. */
function difference(before: string, after: string): { removed: string; added: string; isInside: boolean } {
  const [old, now] = [lines(before), lines(after)];
  const removed = old.filter((line) => !now.includes(line));
  const added = now.filter((line) => !old.includes(line));
  return {
    removed: removed.join(" "),
    added: added.join(" "),
    isInside: removed.length > 0 && added.length > 0,
  };
}

function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function firstLines(text: string): string {
  return lines(text).slice(0, 3).join(" ");
}

function oneLine(text: string): string {
  return lines(text).join(" ");
}

function weightOf({ before, after }: Change): number {
  return Math.min(before.length + after.length, 400);
}

function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;
}

function quoted(text: string): string {
  return text.includes("`") ? `“${text}”` : `\`${text}\``;
}

/** Equal for equivalent work: the same command, or edits that add the same words. */
export function remedyGist(actions: readonly Action[]): string {
  return actions.map(gistOf).filter(Boolean).sort().join(" + ");
}

function gistOf(action: Action): string {
  const command = commandText(action);
  if (command !== undefined) return withoutChecks(command).replace(/\d+/g, "#").toLowerCase();
  const changes = changesOf(action);
  const old = new Set(changes.flatMap(({ before }) => wordsOf(before)));
  const now = new Set(changes.flatMap(({ after }) => wordsOf(after)));
  const added = [...now].filter((word) => !old.has(word));
  const removed = [...old].filter((word) => !now.has(word));
  return added.length > 0 ? `+${added.sort().join(" ")}` : `-${removed.sort().join(" ")}`;
}

/** A piece of text that an edit replaced. */
export interface Change {
  before: string;
  after: string;
}

/** What an edit changed, as far as its parameters show. */
export function changesOf(action: Action): Change[] {
  if (!isEdit(action)) return [];
  const { params } = action;
  if (Array.isArray(params.edits))
    return params.edits.flatMap((edit) => replacement(edit as Action["params"]));
  const replaced = replacement(params);
  if (replaced.length > 0) return replaced;
  const patch = patchOf(action);
  if (patch !== undefined) return changesOfPatch(patch);
  const content = params.content ?? params.file_text;
  return typeof content === "string" ? [{ before: "", after: content }] : [];
}

function replacement(params: Action["params"]): Change[] {
  const before = params.old_string ?? params.old_str;
  const after = params.new_string ?? params.new_str;
  return typeof before === "string" && typeof after === "string" ? [{ before, after }] : [];
}

function changesOfPatch(patch: string): Change[] {
  const changes: Change[] = [];
  let open: { before: string[]; after: string[] } | undefined;
  for (const line of patch.split("\n")) {
    const isRemoved = /^-(?!--)/.test(line);
    const isAdded = /^\+(?!\+\+)/.test(line);
    if (!isRemoved && !isAdded) {
      if (open !== undefined) changes.push(joined(open));
      open = undefined;
      continue;
    }
    open ??= { before: [], after: [] };
    (isRemoved ? open.before : open.after).push(line.slice(1));
  }
  if (open !== undefined) changes.push(joined(open));
  return changes;
}

function joined({ before, after }: { before: string[]; after: string[] }): Change {
  return { before: before.join("\n"), after: after.join("\n") };
}

/** Sentences that only announce a step: "Let me look at the test output", "I will write the module". */
const announcing =
  /^(?:(?:ok(?:ay)?|now|next|first|then|so|and|alright|all right|great|good|perfect|sure|right|hm+)[,.!:]?\s+)*(?:let me|let(?:'|’)?s|let us|i(?:'|’)ll|i will|(?:i(?:'|’)m|i am) (?:going|about) to|(?:i(?:'|’)m |i am )?(?:looking|checking|reading|inspecting|investigating|running|trying|continuing|starting|working|moving)\b|i (?:need|have|want) to (?:look|check|see|read|find|run|understand|figure|inspect|investigate))/i;
/** Words of sentences that also explain. */
const explaining = /\b(?:because|since|as the|so that|instead|must|otherwise|which is why|needs?)\b/i;
const redacted = /\[redacted:/;

/** Why an agent did something, in its own words: the first line, without announcements. */
export function reasonOf({ reasoning = "" }: Pick<Action, "reasoning">): string {
  const [line = ""] = reasoning.trim().split("\n", 1);
  if (redacted.test(line)) return "";
  const sentences = line.split(/(?<=[.!?:])\s+/);
  return sentences
    .filter((sentence) => !announcing.test(sentence) || explaining.test(sentence))
    .join(" ")
    .replace(/[.:;]+$/, "");
}
