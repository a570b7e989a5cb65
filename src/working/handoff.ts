import { RalphError } from "../domain/ralph-error.js";
import { type Handoff, handoffIdOf, numberOfHandoffId } from "../domain/working.js";
import type { NewHandoff } from "../store/repositories/working.js";
import type { Repositories } from "../store/store.js";
import { fenceAsData, neutraliseContent, neutraliseLine } from "../text/fence/fence.js";
import { redactDeep } from "../text/secrets/redact.js";
import { unique } from "../text/unique.js";
import { checkAgent, checkFields, checkOptionalText, checkText, checkTexts, checkTime } from "./fields.js";

/** What the sender provides for a handoff; the recorded facts are added to it. */
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

/** The recorded facts about the work that is handed over. */
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

/** Parses a handoff from another program; unknown fields are kept. */
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

export function handoffNotFound(id: string): RalphError {
  return new RalphError("not-found", `Handoff not found: ${id}`, {
    hint: '"ralph handoff list" shows all of them',
  });
}

export async function getHandoff(repositories: Repositories, id: string): Promise<Handoff> {
  const number = numberOfHandoffId(id);
  const handoff = number === undefined ? undefined : await repositories.handoffs.find(number);
  if (handoff === undefined) throw handoffNotFound(id);
  return handoff;
}

/** Marks a handoff as accepted; throws if it was accepted before. */
export async function acceptHandoff(
  tx: Repositories,
  id: string,
  { agent, now, takenBy }: { agent?: string | undefined; now: string; takenBy?: string | undefined },
): Promise<Handoff> {
  const handoff = await getHandoff(tx, id);
  const { accepted_at: at, accepted_by: by, taken_by: name } = handoff;
  const who = name === undefined ? by : `${by} (${name})`;
  if (at !== undefined) {
    throw new RalphError("already-exists", `${handoff.id} was already accepted at ${at} by ${who}`, {
      hint: `"ralph handoff show ${handoff.id}" shows it`,
    });
  }
  const receiver = agent ?? handoff.to_agent;
  await tx.handoffs.accept(numberOf(handoff), receiver, now, takenBy);
  return {
    ...handoff,
    ...{ accepted_at: now, accepted_by: receiver },
    ...(takenBy !== undefined && { taken_by: takenBy }),
  };
}

/** Marks accepted handoffs as delivered to their agent. */
export async function deliverHandoffs(
  tx: Repositories,
  waiting: readonly Handoff[],
  now: string,
): Promise<Handoff[]> {
  for (const handoff of waiting) await tx.handoffs.markDelivered(numberOf(handoff), now);
  return waiting.map((handoff) => ({ ...handoff, delivered_at: now }));
}

/** Imports a handoff under its id; throws if that id belongs to another one. */
export async function restoreHandoff(tx: Repositories, handoff: Handoff): Promise<Handoff> {
  const number = numberOf(handoff);
  const known = await tx.handoffs.find(number);
  if (known === undefined) return tx.handoffs.add(handoff, number);
  const isSame =
    known.timestamp === handoff.timestamp &&
    known.from_agent === handoff.from_agent &&
    known.to_agent === handoff.to_agent;
  if (isSame) return known;
  throw new RalphError("already-exists", `Another handoff has the id ${handoffIdOf(number)}`);
}

function numberOf({ id }: Handoff): number {
  const number = numberOfHandoffId(id);
  if (number === undefined) throw new Error(`Invalid handoff id: ${id}`);
  return number;
}

/** A handoff as a Markdown document; the sender's text is fenced as data. */
export function renderHandoff(handoff: Handoff): string {
  const { from_agent: from, to_agent: to } = handoff;
  return `# ${handoff.id}: ${neutraliseLine(from)} → ${neutraliseLine(to)}\n\n${handoffIntro(handoff)}`;
}

/** The handoff, fenced as data, for the start of the receiver's next plan. */
export function handoffIntro(handoff: Handoff): string {
  const introduction = `${handoff.id}: ${neutraliseLine(handoff.from_agent)} hands over to ${neutraliseLine(handoff.to_agent)}.`;
  return `${fenceAsData(introduction, bodyLines(handoff).join("\n").trimEnd())}\n`;
}

function bodyLines(handoff: Handoff): string[] {
  const { timestamp, task_id: task, context, accepted_at, accepted_by, made_by, taken_by } = handoff;
  const named = (name: string | undefined) => (name === undefined ? "" : ` (${neutraliseLine(name)})`);
  const list = (title: string, items: readonly string[]) =>
    items.length === 0
      ? []
      : [`## ${title}`, "", ...items.map((item) => `- ${neutraliseLine(item, 1000)}`), ""];
  return [
    `- Time: ${timestamp}`,
    ...(made_by === undefined ? [] : [`- By: ${neutraliseLine(made_by)}`]),
    ...(task === undefined ? [] : [`- Task: ${task}`]),
    `- Git state: ${neutraliseLine(context.git_state)}`,
    ...(accepted_at === undefined
      ? []
      : [`- Accepted: ${accepted_at} by ${neutraliseLine(accepted_by ?? "")}${named(taken_by)}`]),
    "",
    "## What was done",
    "",
    neutraliseContent(context.what_was_done),
    "",
    ...list("Artifacts", context.artifacts),
    ...list("Needs testing", context.needs_testing),
    ...list("Known issues", context.known_issues),
    ...list("Relevant patterns", context.relevant_patterns),
  ];
}
