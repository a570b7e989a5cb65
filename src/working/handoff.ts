import { RalphError } from "../domain/ralph-error.js";
import { type Handoff, numberOfHandoffId } from "../domain/working.js";
import type { NewHandoff } from "../store/repositories/working/handoffs.js";
import { redactDeep } from "../text/secrets/redact.js";
import { unique } from "../text/unique.js";
import { checkAgent, checkFields, checkOptionalText, checkText, checkTexts, checkTime } from "./fields.js";

/** What an agent or a person provides for a handoff; the recorded facts are added to it. */
export interface HandoffInput {
  from: string;
  to: string;
  taskId?: string | undefined;
  whatWasDone?: string | undefined;
  artifacts?: readonly string[] | undefined;
  needsTesting?: readonly string[] | undefined;
  knownIssues?: readonly string[] | undefined;
  /** Ids of records. */
  relevantPatterns?: readonly string[] | undefined;
}

/** What is recorded about the work that is handed off. */
export interface HandoffFacts {
  now: string;
  madeBy?: string | undefined;
  taskId?: string | undefined;
  whatWasDone?: string | undefined;
  artifacts: readonly string[];
  gitState: string;
  needsTesting: readonly string[];
  knownIssues: readonly string[];
  relevantPatterns: readonly string[];
}

/** Validates the input and redacts secrets. */
export function checkHandoffInput(input: HandoffInput): HandoffInput {
  return {
    from: checkAgent(input.from),
    to: checkAgent(input.to),
    taskId: input.taskId,
    whatWasDone: checkOptionalText("What was done", input.whatWasDone),
    artifacts: checkTexts("The artifacts", input.artifacts),
    needsTesting: checkTexts("What needs testing", input.needsTesting),
    knownIssues: checkTexts("The known issues", input.knownIssues),
    relevantPatterns: checkTexts("The patterns", input.relevantPatterns),
  };
}

export function buildHandoff(input: HandoffInput, facts: HandoffFacts): NewHandoff {
  const whatWasDone = [input.whatWasDone, facts.whatWasDone].filter((text) => text !== undefined).join("\n");
  if (whatWasDone === "") {
    throw new RalphError("wrong-use", `No recorded task for ${input.from}`, {
      hint: "choose one with --task, or describe the work with --done",
    });
  }
  const both = (given: readonly string[] | undefined, recorded: readonly string[]) =>
    unique([...(given ?? []), ...recorded]);
  return {
    from_agent: input.from,
    to_agent: input.to,
    timestamp: facts.now,
    ...(facts.taskId !== undefined && { task_id: facts.taskId }),
    ...(facts.madeBy !== undefined && { made_by: facts.madeBy }),
    context: {
      what_was_done: whatWasDone,
      artifacts: both(input.artifacts, facts.artifacts),
      git_state: facts.gitState,
      needs_testing: both(input.needsTesting, facts.needsTesting),
      known_issues: both(input.knownIssues, facts.knownIssues),
      relevant_patterns: both(input.relevantPatterns, facts.relevantPatterns),
    },
  };
}

/** Parses a handoff of another program; unknown fields are kept. */
export function parseHandoff(raw: unknown): Handoff {
  const fields = checkFields("A handoff", raw);
  const context = checkFields("context", fields.context ?? {});
  if (typeof fields.id !== "string" || numberOfHandoffId(fields.id) === undefined) {
    throw new RalphError("wrong-use", `Invalid handoff id: ${JSON.stringify(fields.id ?? "")}`, {
      hint: "handoff- and a number, such as handoff-001",
    });
  }
  return redactDeep({
    ...fields,
    id: fields.id,
    from_agent: checkAgent(fields.from_agent),
    to_agent: checkAgent(fields.to_agent),
    timestamp: checkTime("timestamp", fields.timestamp),
    context: {
      ...context,
      what_was_done: checkText("what_was_done", context.what_was_done),
      artifacts: checkTexts("artifacts", context.artifacts),
      git_state: checkText("git_state", context.git_state ?? ""),
      needs_testing: checkTexts("needs_testing", context.needs_testing),
      known_issues: checkTexts("known_issues", context.known_issues),
      relevant_patterns: checkTexts("relevant_patterns", context.relevant_patterns),
    },
  });
}
