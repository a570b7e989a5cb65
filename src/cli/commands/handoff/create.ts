import { RalphError } from "../../../domain/ralph-error.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const createHandoffCommand = defineCommand({
  summary: "hand work over to another agent",
  description:
    "Work done, artifacts, open errors, useful learnings and the Git state are taken from the task's record; your options\n" +
    "are added to them.",
  arguments: [],
  options: {
    from: { kind: "text", placeholder: "AGENT", summary: "sending agent" },
    to: { kind: "text", placeholder: "AGENT", summary: "receiving agent" },
    task: { kind: "text", placeholder: "ID", summary: "task [default: the sender's current task]" },
    done: { kind: "text", placeholder: "TEXT", summary: "what was done" },
    "needs-testing": {
      kind: "texts",
      placeholder: "TEXT",
      summary: "something that needs testing; repeatable",
    },
    issue: { kind: "texts", placeholder: "TEXT", summary: "a known issue; repeatable" },
    artifact: { kind: "list", placeholder: "FILES", summary: "files to look at, comma-separated" },
    pattern: { kind: "list", placeholder: "IDS", summary: "ids of helpful records, comma-separated" },
  },
  formats: ["table", "json", "quiet"],
  examples: [
    "ralph handoff create --from eng-001-backend --to qa-001-testing --task task-001",
    'ralph handoff create --from eng --to qa --done "POST /api/todos" --needs-testing "validation, and limits"',
  ],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const { handoff, isReceiverKnown } = await memory.working.createHandoff({
      from: required("from", options.from),
      to: required("to", options.to),
      taskId: options.task,
      whatWasDone: options.done,
      needsTesting: options["needs-testing"],
      knownIssues: options.issue,
      artifacts: options.artifact,
      relevantPatterns: options.pattern,
    });
    const { id, from_agent: from, to_agent: to } = handoff;
    if (!isReceiverKnown)
      terminal.talk(`Note: ${to} has not worked here yet; ${id} stays pending until accepted\n`);
    if (format === "json") terminal.out(renderJson(handoff));
    else terminal.out(format === "quiet" ? `${id}\n` : `Handoff created: ${id} from ${from} to ${to}\n`);
    return 0;
  },
});

function required(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new RalphError("wrong-use", `--${name} is missing`, { hint: "it takes an agent name" });
}
