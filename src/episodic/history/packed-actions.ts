import { type Action, commandOf } from "../../domain/tasks/action.js";
import { packText, unpackText } from "../../store/packed-text.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { Repositories } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import { editedFiles, listFiles } from "../tasks/work-done.js";

export async function listPackedActions(
  repositories: Repositories,
  { key }: StoredAttempt,
): Promise<Action[]> {
  const packed = await repositories.actions.findPacked(key);
  return packed === undefined ? [] : (JSON.parse(unpackText(packed)) as Action[]);
}

/** Compresses an attempt's actions and stores a summary to show. */
export async function packActions(tx: Repositories, attempt: StoredAttempt): Promise<void> {
  const actions = await tx.actions.list(attempt.key);
  await tx.actions.replaceWithPacked(attempt.key, packText(JSON.stringify(actions)));
  await tx.attempts.saveSummary(attempt.key, summariseActions(actions));
}

function summariseActions(actions: readonly Action[]): string {
  if (actions.length === 0) return "no actions";
  const counts = new Map<string, number>();
  for (const { tool } of actions) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const tools = [...counts].sort((a, b) => b[1] - a[1]).map(([tool, count]) => `${count} ${tool}`);
  const failed = actions.filter(({ success }) => !success);
  const lastCommand = failed.findLast((action) => commandOf(action) !== undefined);
  const edited = editedFiles(actions);
  return [
    `${counted(actions.length, "action")} (${tools.join(", ")})`,
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
    ...(lastCommand === undefined ? [] : [`the last failing command was \`${commandOf(lastCommand)}\``]),
    ...(edited.length === 0 ? [] : [`edited ${listFiles(edited)}`]),
  ].join("; ");
}
