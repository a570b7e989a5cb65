import { RalphError } from "../../domain/ralph-error.js";
import type { Handoff } from "../../domain/working.js";
import { clipped, fencedLines, line } from "../as-data.js";
import { takeOnly } from "./check-arguments.js";
import { type Answer, defineTool } from "./tool.js";

const takenBy = {
  create: ["from", "to", "done", "task", "needs_testing", "known_issues", "artifacts"],
  list: ["to"],
  accept: ["id", "to"],
};

export const handoffTool = defineTool({
  name: "handoff",
  description:
    "Hands work from one agent to another: `create` (from, to, done), `list` what waits (for an agent: to), `accept` (id).",
  arguments: {
    action: { type: "string", enum: ["create", "list", "accept"] },
    from: { type: "string", description: "your agent name" },
    to: { type: "string", description: "the receiver's" },
    done: { type: "string", description: "what was done" },
    task: { type: "string" },
    needs_testing: { type: "array", items: { type: "string" } },
    known_issues: { type: "array", items: { type: "string" } },
    artifacts: { type: "array", items: { type: "string" } },
    id: { type: "string", description: "to accept, such as handoff-001" },
  },
  required: ["action"],
  effect: "adds",
  isIdempotent: false,
  whereIdsAre: "handoff with action list shows those that wait, history the ids of tasks",
  async run({ working }, { action, ...given }) {
    takeOnly(takenBy[action], given, `handoff with action ${action}`);
    if (action === "list") {
      const waiting = await working.listHandoffs({ to: given.to, isPending: true });
      return {
        text:
          waiting.length === 0
            ? "No handoff waits"
            : fencedLines("Handoffs that wait to be accepted.", waiting.map(lineOf)),
        value: { handoffs: waiting.map(asValue) },
      };
    }
    if (action === "accept") {
      const { id } = await working.acceptHandoff(needed("id", given.id), given.to);
      return shown(await working.getHandoff(id), await working.renderHandoff(id, { hasHeading: false }));
    }
    const { handoff } = await working.createHandoff({
      from: needed("from", given.from),
      to: needed("to", given.to),
      whatWasDone: needed("done", given.done),
      taskId: given.task,
      needsTesting: given.needs_testing,
      knownIssues: given.known_issues,
      artifacts: given.artifacts,
    });
    return shown(handoff, await working.renderHandoff(handoff.id, { hasHeading: false }));
  },
});

function needed(name: string, value: string | undefined): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new RalphError("wrong-use", `The argument ${name} is missing`, {
    hint: "create needs from, to and done; accept needs id",
  });
}

/** The document is fenced; names of agents are only in it. */
function shown(handoff: Handoff, document: string): Answer {
  const state = handoff.accepted_by === undefined ? "waits to be accepted" : "was accepted";
  return {
    text: `${handoff.id} ${state}.\n\n${document.trimEnd()}`,
    value: { handoff: asValue(handoff) },
  };
}

function lineOf({ id, from_agent: from, to_agent: to, context }: Handoff): string {
  return `- ${id} from ${line(from)} to ${line(to)}: ${line(context.what_was_done)}`;
}

function asValue(handoff: Handoff) {
  const { id, from_agent: from, to_agent: to, task_id: task, timestamp, context, accepted_by } = handoff;
  return {
    ...{ id, from, to, timestamp },
    ...(task !== undefined && { task }),
    ...(accepted_by !== undefined && { accepted_by }),
    ...context,
    what_was_done: clipped(context.what_was_done, 2000),
  };
}
