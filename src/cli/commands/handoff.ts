import type { Handoff } from "../../domain/working.js";
import { defineCommand, wrongUse } from "../framework/command.js";
import {
  allOption,
  flag,
  limitOption,
  list,
  sinceOf,
  sinceOption,
  text,
  texts,
} from "../framework/options.js";
import { printList } from "../framework/print.js";
import { renderTable } from "../output/terminal/table.js";
import type { Terminal } from "../output/terminal/terminal.js";
import { shownTime } from "../output/times.js";

const idArgument = { name: "id", summary: "handoff id, such as handoff-001" };

const create = defineCommand({
  summary: "hand work over to another agent",
  description:
    "Work done, artifacts, open errors, useful learnings and the Git state are taken from the task's record; your options\n" +
    "are added to them.",
  options: {
    from: text("AGENT", "sending agent"),
    to: text("AGENT", "receiving agent"),
    task: text("ID", "task [default: the sender's current task]"),
    done: text("TEXT", "what was done"),
    "needs-testing": texts("TEXT", "something that needs testing; repeatable"),
    issue: texts("TEXT", "a known issue; repeatable"),
    artifact: list("FILES", "files to look at, comma-separated"),
    pattern: list("IDS", "ids of helpful records, comma-separated"),
  },
  formats: ["table", "json", "quiet"],
  examples: [
    "ralph handoff create --from eng-001-backend --to qa-001-testing --task task-001",
    'ralph handoff create --from eng --to qa --done "POST /api/todos" --needs-testing "validation, and limits"',
  ],
  async run({ options, terminal, print, openMemory }) {
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
    print({ json: handoff, quiet: id, table: `Handoff created: ${id} from ${from} to ${to}\n` });
  },
});

function required(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw wrongUse(`--${name} is missing`, "it takes an agent name");
}

const listHandoffs = defineCommand({
  summary: "list handoffs, newest first",
  options: {
    to: text("AGENT", "only handoffs to this agent"),
    since: sinceOption("only handoffs since then"),
    limit: limitOption(),
    all: allOption,
    pending: flag("only handoffs not accepted yet"),
  },
  isLong: true,
  examples: ["ralph handoff list", "ralph handoff list --to qa-001-testing --pending"],
  async run(invocation) {
    const { options, terminal, openMemory } = invocation;
    const since = sinceOf(options) ?? "";
    const { working } = await openMemory();
    const handoffs = await working.listHandoffs({ to: options.to, isPending: options.pending });
    await printList(invocation, {
      find: handoffs.filter(({ timestamp }) => timestamp >= since),
      table: (items) =>
        renderTable(
          ["ID", { title: "FROM", drop: 1 }, { title: "TO" }, { title: "STATUS", drop: 2 }, "DONE"],
          items.map((handoff) => cellsOf(handoff, terminal)),
          terminal,
        ),
      empty: "No handoffs to show",
    });
  },
});

function cellsOf(handoff: Handoff, terminal: Terminal): string[] {
  const { id, from_agent: from, to_agent: to, accepted_at: at, accepted_by: by, context } = handoff;
  const acceptor = by === to ? "" : ` by ${by}`;
  const status = at === undefined ? "pending" : `accepted ${shownTime(at, terminal)}${acceptor}`;
  return [id, from, to, status, context.what_was_done];
}

const show = defineCommand({
  summary: "show a handoff",
  arguments: [idArgument],
  formats: ["markdown", "json"],
  isLong: true,
  examples: ["ralph handoff show handoff-001", "ralph handoff show handoff-001 --json"],
  async run({ arguments: [id = ""], format, print, openMemory }) {
    const { working } = await openMemory();
    if (format === "json") print({ json: await working.getHandoff(id) });
    else print({ markdown: await working.renderHandoff(id) });
  },
});

const accept = defineCommand({
  summary: "accept a handoff",
  description: "The agent's next attempt starts with the handoff. A handoff can be accepted only once.",
  arguments: [idArgument],
  options: { agent: text("NAME", "accepting agent [default: the recipient]") },
  examples: ["ralph handoff accept handoff-001", "ralph handoff accept handoff-001 --agent qa-002-testing"],
  async run({ arguments: [id = ""], options, terminal, print, openMemory }) {
    const handoff = await (await openMemory()).working.acceptHandoff(id, options.agent);
    const { accepted_by: by, to_agent: to } = handoff;
    if (by !== to) terminal.talk(`Note: this handoff was addressed to ${to}\n`);
    print({ json: handoff, table: `${handoff.id} accepted by ${by}; the next attempt starts with it\n` });
  },
});

export const handoffCommands = { create, list: listHandoffs, show, accept };
