import type { AgentAction } from "../../agents/streams/agent-event.js";
import { uuidFrom } from "../../domain/sha256.js";
import { type Action, commandOf, isEdit } from "../../domain/tasks/action.js";
import { isJudging } from "../../episodic/attempts/end-iteration.js";
import { showsFailure } from "../../episodic/attempts/shows-failure.js";
import { storableAction } from "../../episodic/attempts/storable-action.js";
import { actionFromProject } from "../../files/relative-path.js";
import type { KeyedAction } from "../../store/repositories/tasks/actions.js";
import { clipOutput, startOf } from "../../text/secrets/clip-output.js";
import type { Turn } from "../../transcripts/session.js";

/** Redaction takes most of the time, and old transcripts are large. */
const maxPrinted = 1000;
const maxFound = 200;
const maxWritten = 4000;
const maxAsked = 1000;
const writtenParams = new Set(["content", "file_text"]);

/** The actions of a task as stored: redacted, clipped, with paths relative to the project, one iteration per turn. */
export function toActions(turns: readonly Turn[], root: string): KeyedAction[] {
  return turns.flatMap(({ actions }, index) => actions.map((action) => toAction(action, root, index + 1)));
}

function toAction(given: AgentAction, root: string, iteration: number): KeyedAction {
  const { idempotency_key: key, duration_ms: _duration, reasoning, ...fields } = given;
  const action = actionFromProject(root, fields);
  const params = shownParams(action);
  const output = shownOutput(action);
  const stored = storableAction({ ...action, ...(output !== undefined && { output }), params, iteration });
  // Redacted only once, because it takes most of the time.
  const reason = reasoning === undefined ? {} : { reasoning: clipOutput(reasoning) };
  return { action: withRealOutcome({ ...stored, ...reason }), key: key && safeKey(key) };
}

/** Agents' ids are short words; anything else may be any text. */
function safeKey(key: string): string {
  return /^[\w.:#/-]{1,200}$/.test(key) ? key : uuidFrom(key);
}

/** New files and prompts for subagents are clipped; edits are stored in full. */
function shownParams(action: AgentAction): AgentAction["params"] {
  if (commandOf(action) !== undefined) return { ...action.params };
  return Object.fromEntries(
    Object.entries(action.params).map(([name, value]) => {
      const most = isEdit(action)
        ? writtenParams.has(name)
          ? maxWritten
          : Number.POSITIVE_INFINITY
        : maxAsked;
      return [name, typeof value === "string" && value.length > most ? beginningOf(value, most) : value];
    }),
  );
}

function beginningOf(text: string, most: number): string {
  return `${startOf(text, most)}\n[… ${text.length - most} of ${text.length} characters left out …]`;
}

/** The output of reads and searches is clipped: learning does not need the rest. */
function shownOutput(action: AgentAction): string | undefined {
  const { success, output } = action;
  const most = commandOf(action) === undefined ? maxFound : maxPrinted;
  if (output === undefined || !success || output.length <= most || isJudging(action)) return output;
  return beginningOf(output, most);
}

function withRealOutcome(action: Action): Action {
  const { success: isSuccess, output = "" } = action;
  return isSuccess && showsFailure({ command: commandOf(action), output, isSuccess })
    ? { ...action, success: false }
    : action;
}
