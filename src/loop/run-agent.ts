import { agentCommand } from "../agents/agent-definition.js";
import type { AgentEvent, FinalEvent } from "../agents/streams/agent-event.js";
import { openAgentStream } from "../agents/streams/open-stream.js";
import { renderDuration } from "../domain/duration.js";
import { RalphError } from "../domain/ralph-error.js";
import { isEdit, subjectOf } from "../domain/tasks/action.js";
import { reportUsage } from "../domain/tasks/run.js";
import { actionFromProject, paramsFromProject } from "../files/relative-path.js";
import { hasSucceeded, type ProcessResult, runProcess } from "../processes/run-process.js";
import { clipMessage, endOf } from "../text/secrets/clip-output.js";
import { causeIn } from "./judge-iteration.js";
import { type LoopContext, spentOf } from "./loop-context.js";
import { openActionLog } from "./record-actions.js";
import { showOutput } from "./show-output.js";

/** Less than `runProcess` keeps, so that `endOf` notices the cut and drops partial lines. */
const maxErrorOutput = 60 * 1024;

/** The result of one agent process. */
export interface AgentRun {
  /** It exited with code 0 and reported no error. */
  isNormal: boolean;
  /** It exited by itself with an error. */
  hasBrokenDown: boolean;
  /** The problem, if any, with the line in which the agent explains it. */
  trouble: string | undefined;
  elapsedMs: number;
  finalText: string;
  actions: number;
  /** How many of them edited a file. */
  edits: number;
  /** The tools it was not permitted to use. */
  denied: readonly string[];
  errorOutput: string;
}

/** Runs the agent once and records its actions as they happen. */
export async function runAgent(context: LoopContext, prompt: string, iteration: number): Promise<AgentRun> {
  const { agent, options, runs, emit, meter, runId, task, stop, clock } = context;
  const overBudget = new AbortController();
  const isOverBudget = () => options.maxCostUsd !== undefined && spentOf(context) > options.maxCostUsd;
  const log = openActionLog(runs, { taskId: task.id, runId, iteration }, (message) =>
    emit({ event: "problem", message }),
  );
  const words = showOutput(context, "agent");
  const errors = showOutput(context, "agent-errors");
  let final: FinalEvent | undefined;
  let edits = 0;
  const denied: string[] = [];
  const stream = openAgentStream(
    agent.output,
    (raw) => {
      const event = eventFromProject(context.root, raw);
      if (event.kind === "final") final = event;
      if (event.kind === "action") log.add(event.action);
      if (event.kind === "action" && event.action.success && isEdit(event.action)) edits += 1;
      if (event.kind === "problem") denied.push(...(event.denied ?? []));
      if (event.kind === "usage") meter.note(event);
      if (event.kind === "text") words.say(event);
      else if (event.kind !== "usage") words.flush();
      report(context, event, log.count());
      if (isOverBudget()) overBudget.abort();
    },
    clock,
  );
  const { args, input } = agentCommand(agent, prompt, { isAllAllowed: options.isAllAllowed });
  const timeoutMs = Math.max(1, Math.min(options.iterationTimeoutMs, context.deadline - clock().getTime()));
  try {
    const result = await runProcess({
      program: agent.program,
      args,
      input,
      folder: context.root,
      environment: { ...context.environment, RALPH_TASK: task.id },
      timeoutMs,
      ...(options.idleTimeoutMs > 0 && { idleTimeoutMs: options.idleTimeoutMs }),
      killGraceMs: context.settings["run.kill_grace_seconds"] * 1000,
      stop: AbortSignal.any([stop, overBudget.signal]),
      kill: context.kill,
      onStart: (leader) => runs.saveAgent(runId, leader),
      onOutput: async (chunk) => {
        stream.push(chunk);
        await log.ready();
      },
      onErrorOutput: errors.push,
    });
    stream.end();
    words.end();
    errors.end();
    return toAgentRun(
      result,
      final,
      { actions: log.count(), edits, denied },
      { timeoutMs, idleMs: options.idleTimeoutMs },
    );
  } catch (error) {
    if (!(error instanceof RalphError && error.code === "program-unusable")) throw error;
    return couldNotStart(error);
  } finally {
    await log.flush();
    meter.settle();
    await runs.saveAgent(runId, undefined);
  }
}

/** How long the agent may take, and how long it may be silent. */
interface AgentLimits {
  timeoutMs: number;
  idleMs: number;
}

function toAgentRun(
  result: ProcessResult,
  final: FinalEvent | undefined,
  done: Pick<AgentRun, "actions" | "edits" | "denied">,
  limits: AgentLimits,
): AgentRun {
  const trouble = troubleOf(result, final, limits);
  const hasBrokenDown = trouble !== undefined && result.endedBy === "exit";
  const cause = hasBrokenDown
    ? causeIn(result.errorOutput, final?.isError ? final.text : "", result.output)
    : undefined;
  return {
    isNormal: trouble === undefined,
    hasBrokenDown,
    trouble: cause === undefined ? trouble : `${trouble}: ${cause}`,
    elapsedMs: result.elapsedMs,
    finalText: final?.text ?? "",
    ...done,
    errorOutput: endOf(result.errorOutput, maxErrorOutput),
  };
}

/** The program may be replaced during the run. */
function couldNotStart({ message, hint = "" }: RalphError): AgentRun {
  return {
    isNormal: false,
    hasBrokenDown: true,
    trouble: message,
    elapsedMs: 0,
    finalText: "",
    actions: 0,
    edits: 0,
    denied: [],
    errorOutput: hint,
  };
}

/** The problem with an agent, if any. */
export function troubleOf(
  result: Pick<ProcessResult, "endedBy" | "exitCode" | "signal">,
  final: FinalEvent | undefined,
  { timeoutMs, idleMs }: AgentLimits,
): string | undefined {
  const { endedBy, exitCode, signal } = result;
  if (endedBy === "timeout") return `the agent timed out after ${renderDuration(timeoutMs)}`;
  if (endedBy === "idle") return `the agent was killed after ${renderDuration(idleMs)} without output`;
  if (endedBy === "abort") return "the agent was stopped";
  if (signal !== undefined) return `the agent was killed by ${signal}`;
  if (!hasSucceeded(result)) return `the agent exited with code ${exitCode}`;
  if (final?.isComplete === false) return "the agent's output was cut off";
  return final?.isError
    ? `the agent reported an error${final.subtype ? ` (${final.subtype})` : ""}`
    : undefined;
}

function report({ emit, meter }: LoopContext, event: AgentEvent, actions: number): void {
  if (event.kind === "started") emit({ event: "tool-started", tool: event.tool, subject: subjectOf(event) });
  if (event.kind === "problem") emit({ event: "problem", message: event.message });
  if (event.kind === "action") {
    const { tool, success, error } = event.action;
    const subject = subjectOf(event.action);
    emit({
      ...{ event: "action", tool, subject, success, actions },
      ...(error !== undefined && { error: clipMessage(error) }),
    });
  }
  if (event.kind === "usage") emit({ event: "usage", ...reportUsage(meter.total()) });
}

/** Makes paths in an agent's event relative to the project; commands are unchanged. */
export function eventFromProject(root: string, event: AgentEvent): AgentEvent {
  if (event.kind === "started") return { ...event, params: paramsFromProject(root, event.params) };
  return event.kind === "action" ? { ...event, action: actionFromProject(root, event.action) } : event;
}
