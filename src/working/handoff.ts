import { RalphError } from "../domain/ralph-error.js";
import { type Handoff, numberOfHandoffId } from "../domain/working/handoff.js";
import type { NewHandoff } from "../store/repositories/working/handoffs.js";
import { redactDeep } from "../text/secrets/redact.js";
import { unique } from "../text/unique.js";
import { checkAgent, checkFields, checkOptionalText, checkText, checkTexts, checkTime } from "./fields.js";

/** A handoff as an agent or a person asks for it; the texts are added to what the record tells. */
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

/** What the record tells about the work that is passed on. */
export interface HandoffFacts {
  now: string;
  taskId?: string | undefined;
  whatWasDone?: string | undefined;
  artifacts: readonly string[];
  gitState: string;
  needsTesting: readonly string[];
  knownIssues: readonly string[];
  relevantPatterns: readonly string[];
}

/** A handoff whose texts have been checked, without their secrets. */
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

export function fillHandoff(input: HandoffInput, facts: HandoffFacts): NewHandoff {
  const whatWasDone = [input.whatWasDone, facts.whatWasDone].filter((text) => text !== undefined).join("\n");
  if (whatWasDone === "") {
    throw new RalphError("wrong-use", `No task of ${input.from} is recorded`, {
      hint: "name one with --task, or say what was done with --done",
    });
  }
  const both = (said: readonly string[] | undefined, recorded: readonly string[]) =>
    unique([...(said ?? []), ...recorded]);
  return {
    from_agent: input.from,
    to_agent: input.to,
    timestamp: facts.now,
    ...(facts.taskId !== undefined && { task_id: facts.taskId }),
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

/** A handoff as other programs write it; fields that are not known are kept. */
export function parseHandoff(raw: unknown): Handoff {
  const fields = checkFields("A handoff", raw);
  const context = checkFields("context", fields.context ?? {});
  if (typeof fields.id !== "string" || numberOfHandoffId(fields.id) === undefined) {
    throw new RalphError("wrong-use", `Not the id of a handoff: ${JSON.stringify(fields.id ?? "")}`, {
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
