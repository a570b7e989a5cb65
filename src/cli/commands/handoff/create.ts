import { RalphError } from "../../../domain/ralph-error.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const createHandoffCommand = defineCommand({
  summary: "pass work on to another agent",
  description:
    "What was done, artifacts, open errors, useful learnings and the state of Git come from the record of the task; what\n" +
    "you say is added to it.",
  arguments: [],
  options: {
    from: { kind: "text", placeholder: "AGENT", summary: "who passes it on" },
    to: { kind: "text", placeholder: "AGENT", summary: "who is to take it over" },
    task: { kind: "text", placeholder: "ID", summary: "the task; the sender's current one by default" },
    done: { kind: "text", placeholder: "TEXT", summary: "what was done" },
    "needs-testing": {
      kind: "texts",
      placeholder: "TEXT",
      summary: "what needs testing; may be given several times",
    },
    issue: { kind: "texts", placeholder: "TEXT", summary: "a known issue; may be given several times" },
    artifact: { kind: "list", placeholder: "FILES", summary: "files to look at, with commas between them" },
    pattern: { kind: "list", placeholder: "IDS", summary: "records that help, with commas between them" },
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
      terminal.talk(`Note: ${to} is not known here yet; ${id} waits until it is accepted\n`);
    if (format === "json") terminal.out(renderJson(handoff));
    else terminal.out(format === "quiet" ? `${id}\n` : `Handed over: ${id} from ${from} to ${to}\n`);
    return 0;
  },
});

function required(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new RalphError("wrong-use", `--${name} is missing`, { hint: "name the agent" });
}
