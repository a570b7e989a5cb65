import type { StagedLearning } from "../../../../domain/knowledge/learning.js";
import { RalphError } from "../../../../domain/ralph-error.js";
import type { Memory } from "../../../../memory/memory.js";
import type { Promoted } from "../../../../semantic/staging/promote-learnings.js";
import { counted } from "../../../../text/counted.js";
import { defineCommand, type Format } from "../../../framework/command.js";
import { ask, canPrompt } from "../../../input/ask.js";
import { reviewStaged } from "../../../input/review-staged.js";
import { printPromoted } from "../../../output/promoted.js";
import { renderStagedTable } from "../../../output/staged.js";
import { renderJson } from "../../../output/terminal/json.js";
import type { Terminal } from "../../../output/terminal/terminal.js";

export const reviewCommand = defineCommand({
  summary: "accept, edit or reject staged learnings",
  description:
    "On a terminal, shows each learning with its evidence and asks what to do. With options, decides without asking;\n" +
    "otherwise lists what is staged. Accepted learnings are validated and promoted right away. With the setting\n" +
    "learnings.promotion: review, everything learned or imported is staged first. Findings that another task must confirm\n" +
    "first are only counted.",
  arguments: [],
  options: {
    accept: { kind: "list", placeholder: "IDS", summary: "accept these, comma-separated" },
    reject: { kind: "list", placeholder: "IDS", summary: "reject these, comma-separated; needs --reason" },
    reason: { kind: "text", placeholder: "TEXT", summary: "why they are rejected" },
    edit: {
      kind: "text",
      placeholder: "ID",
      summary: "accept this one with a new wording; needs --statement",
    },
    statement: { kind: "text", placeholder: "TEXT", summary: "the new wording" },
    all: { kind: "flag", summary: "accept everything pending" },
  },
  formats: ["table", "json"],
  examples: [
    "ralph learnings review",
    "ralph learnings review --accept stage-1767225600000-0,stage-1767225600000-1",
    'ralph learnings review --reject stage-1767225600000-2 --reason "true of one test only"',
    'ralph learnings review --edit stage-1767225600000-3 --statement "Run the database tests one by one"',
  ],
  async run({ options, format, terminal, openMemory }) {
    const decisions = readDecisions(options);
    const memory = await openMemory();
    const staged = await memory.learnings.listStaged();
    if (decisions !== undefined) {
      checkStaged(staged, decisions);
      return decide(memory, decisions, format, terminal);
    }
    const awaiting = staged.filter(isAwaiting);
    const waiting = staged.filter((entry) => !isRejected(entry) && !isAwaiting(entry));
    const listed = [...waiting, ...staged.filter(isRejected)];
    if (format === "table" && waiting.length > 0 && (await canPrompt(terminal))) {
      const { accepted, rejected, skipped } = await reviewStaged(memory, waiting, terminal, ask);
      const left = waiting.length - accepted - rejected;
      terminal.talk(`${accepted} accepted, ${rejected} rejected, ${skipped} skipped, ${left} left\n`);
    } else if (format === "json") terminal.out(renderJson(listed));
    else if (listed.length > 0) terminal.out(renderStagedTable(listed, terminal));
    else terminal.talk(awaiting.length === 0 ? "Nothing is staged\n" : "Nothing waits for a review\n");
    if (awaiting.length > 0)
      terminal.talk(
        `${counted(awaiting.length, "finding")} more ${awaiting.length === 1 ? "waits" : "wait"} for another task\n`,
      );
    return 0;
  },
});

function isRejected({ status }: StagedLearning): boolean {
  return status === "rejected";
}

function isAwaiting({ status, awaitsEvidence = false }: StagedLearning): boolean {
  return status === "pending" && awaitsEvidence;
}

interface Decisions {
  accepted: readonly string[];
  isAllAccepted: boolean;
  rejected: readonly string[];
  reason: string;
  edited: { id: string; statement: string } | undefined;
}

function readDecisions(options: {
  accept: string[] | undefined;
  reject: string[] | undefined;
  reason: string | undefined;
  edit: string | undefined;
  statement: string | undefined;
  all: boolean;
}): Decisions | undefined {
  const { accept = [], reject = [], reason = "", edit, statement = "", all } = options;
  if (reject.length > 0 !== (reason.trim() !== "")) throw belongTogether("--reject", "--reason");
  if ((edit !== undefined) !== (statement.trim() !== "")) throw belongTogether("--edit", "--statement");
  if (accept.length + reject.length === 0 && edit === undefined && !all) return undefined;
  const ids = [...accept, ...reject, ...(edit === undefined ? [] : [edit])];
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new RalphError("wrong-use", `${twice} is given twice`);
  return {
    accepted: accept,
    isAllAccepted: all,
    rejected: reject,
    reason,
    edited: edit === undefined ? undefined : { id: edit, statement },
  };
}

function belongTogether(one: string, other: string): RalphError {
  return new RalphError("wrong-use", `${one} and ${other} must be used together`, {
    hint: "see --help for examples",
  });
}

/** Rejects unknown ids before anything is changed. */
function checkStaged(staged: readonly StagedLearning[], { accepted, rejected, edited }: Decisions): void {
  const known = new Set(staged.map(({ id }) => id));
  const named = [...accepted, ...rejected, ...(edited === undefined ? [] : [edited.id])];
  const unknown = named.find((id) => !known.has(id));
  if (unknown === undefined) return;
  throw new RalphError("not-found", `No staged learning ${unknown}`, {
    hint: known.size === 0 ? "nothing is staged" : `staged: ${[...known].slice(0, 3).join(", ")}`,
  });
}

async function decide(
  memory: Memory,
  { accepted, isAllAccepted, rejected, reason, edited }: Decisions,
  format: Format,
  terminal: Terminal,
): Promise<number> {
  if (edited !== undefined) await memory.learnings.acceptStaged(edited.id, edited.statement);
  for (const id of rejected) await memory.learnings.rejectStaged(id, reason);
  const ids = [...accepted, ...(edited === undefined ? [] : [edited.id])];
  const promoted: Promoted = { promoted: 0, skipped: 0, learnings: [], promotions: [], rejected: [] };
  for (const choice of [...(ids.length > 0 ? [{ ids }] : []), ...(isAllAccepted ? [{}] : [])])
    addTo(promoted, await memory.learnings.promoteStaged({ ...choice, autoValidate: true }));
  if (format === "json") terminal.out(renderJson({ ...promoted, turned_down: rejected }));
  else {
    if (ids.length > 0 || isAllAccepted) printPromoted(promoted, terminal);
    if (rejected.length > 0) terminal.out(`${counted(rejected.length, "learning")} rejected: ${reason}\n`);
  }
  return ids.length > 0 && promoted.rejected.length > 0 ? 1 : 0;
}

function addTo(all: Promoted, more: Promoted): void {
  all.promoted += more.promoted;
  all.skipped += more.skipped;
  all.learnings.push(...more.learnings);
  all.rejected.push(...more.rejected);
}
