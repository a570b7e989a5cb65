import type { FileEdit } from "../agents/git-changes.js";
import type { Verification } from "../agents/run-verification.js";
import type { AgentAction } from "../agents/streams/agent-event.js";
import { messageOf } from "../domain/ralph-error.js";
import { type Action, workSources } from "../domain/tasks/action.js";
import { isLearnedLine } from "../domain/tasks/agent-text.js";
import type { NewAction } from "../episodic/attempts/storable-action.js";
import { textFromProject } from "../files/relative-path.js";
import type { RunVerbs } from "../memory/runs/runs.js";
import { clipCheck } from "../text/secrets/clip-output.js";
import type { LoopContext } from "./loop-context.js";

/** Records the agent's actions in batches while the agent works. */
interface ActionLog {
  add(action: AgentAction): void;
  /** Waits while too many actions are queued. */
  ready(): Promise<void>;
  /** Waits until all actions are recorded or reported as problems. */
  flush(): Promise<void>;
  count(): number;
}

const maxQueued = 50;

export function openActionLog(
  runs: Pick<RunVerbs, "logActions">,
  { taskId, runId, iteration }: { taskId: string; runId: number; iteration: number },
  onProblem: (message: string) => void,
): ActionLog {
  let queue: AgentAction[] = [];
  let writing: Promise<void> | undefined;
  let count = 0;

  const write = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        await runs.logActions(taskId, batch.map(inIteration), runId);
      } catch (error) {
        const why = messageOf(error);
        onProblem(
          `${batch.length === 1 ? "an action was" : `${batch.length} actions were`} not recorded: ${why}`,
        );
      }
    }
    writing = undefined;
  };

  const inIteration = ({ idempotency_key: key, duration_ms: _, ...action }: AgentAction): NewAction => ({
    ...action,
    iteration,
    // Some agents have no session id and number their tool calls from 1 in each run.
    idempotencyKey: key === undefined ? undefined : `${runId}:${iteration}:${key}`,
  });

  return {
    add(action) {
      count += 1;
      queue.push(action);
      writing ??= write();
    },
    ready: async () => (queue.length > maxQueued ? writing : undefined),
    flush: async () => writing,
    count: () => count,
  };
}

interface IterationWork {
  iteration: number;
  /** Found through Git, because the agent reported none. */
  edits: readonly FileEdit[];
  finalText: string;
  /** When the agent ended. */
  agentEnded: string;
  verifications: readonly Verification[];
}

/** Work the agent does not report: edits found through Git, and checks run by Ralph. */
export function workOf(
  { runId, root, clock }: Pick<LoopContext, "runId" | "root" | "clock">,
  { iteration, edits, finalText, agentEnded, verifications }: IterationWork,
): NewAction[] {
  const reasoning = wordsOf(finalText);
  const actions: Action[] = [
    ...edits.map(
      ({ path, removed, added }): Action => ({
        timestamp: agentEnded,
        iteration,
        type: "edit",
        tool: "Edit",
        params: { file_path: path, old_string: removed, new_string: added, from: workSources.git },
        success: true,
        ...(reasoning !== "" && { reasoning }),
      }),
    ),
    ...verifications
      // The result of a stopped check is meaningless.
      .filter(({ endedBy }) => endedBy !== "abort")
      .map(
        ({ command, passed, output }): Action => ({
          timestamp: clock().toISOString(),
          iteration,
          type: "bash",
          tool: "Bash",
          params: { command, from: workSources.check },
          success: passed,
          output: clipCheck(textFromProject(root, output)),
        }),
      ),
  ];
  return actions.map((action, index) => ({
    ...action,
    idempotencyKey: `${runId}:${iteration}:${action.params.from}:${index}`,
  }));
}

const maxLength = 280;
/** A longer text is the log of an agent that prints everything; its end summarises the work. */
const maxMessage = 2000;

/** The agent's own summary of its work, in one or two sentences; empty if it said nothing. */
export function wordsOf(finalText: string): string {
  const paragraphs = finalText
    .replace(/```[\s\S]*?(?:```|$)/g, "\n\n")
    .split("\n")
    .map((line) => (isFormal(line) ? "" : line.replace(/^[\s>#*_-]+/, "").trim()))
    .join("\n")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => /\p{L}{2}/u.test(paragraph));
  return firstSentences((finalText.length > maxMessage ? paragraphs.at(-1) : paragraphs[0]) ?? "");
}

/** Whether a line is one that Ralph asked for. */
function isFormal(line: string): boolean {
  return /<promise>/i.test(line) || isLearnedLine(line);
}

function firstSentences(text: string): string {
  if (text.length <= maxLength) return text;
  const clipped = text.slice(0, maxLength);
  const end = clipped.search(/[.!?](?=\s[^.!?]*$)/);
  return end > 0 ? clipped.slice(0, end + 1) : `${clipped.slice(0, clipped.lastIndexOf(" "))} …`;
}
