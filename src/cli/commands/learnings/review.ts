import type { StagedLearning } from "../../../domain/knowledge/learning.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { numberOfTaskId } from "../../../domain/tasks/task.js";
import type { Memory } from "../../../memory/memory.js";
import type { Promoted } from "../../../semantic/staging/promote-learnings.js";
import { counted } from "../../../text/counted.js";
import { defineCommand, type Format, wrongUse } from "../../framework/command.js";
import { flag, list, text } from "../../framework/options.js";
import { type Ask, ask, canPrompt } from "../../input/ask.js";
import { readDocument } from "../../input/read-content.js";
import { printPromoted, renderStaged, renderStagedTable } from "../../output/learnings.js";
import { renderJson } from "../../output/terminal/style.js";
import type { Terminal } from "../../output/terminal/terminal.js";

const extractCommand = defineCommand({
  summary: "extract learnings from a task or a loop's history",
  description:
    "Extracted learnings are staged for review. With --promote they are validated and promoted right away, as happens\n" +
    "automatically when a task ends. A loop is JSON with loopId, objective, status and iterations, each with a status.",
  arguments: [
    { name: "source", summary: 'task id such as task-001, a JSON file, or "-" for standard input' },
  ],
  options: { promote: flag("validate and promote right away") },
  examples: [
    "ralph learnings extract task-001",
    "ralph learnings extract .aiwg/ralph-external/state.json --promote",
    "ralph learnings extract - < loop.json",
  ],
  async run({ arguments: [source = ""], options, format, terminal, openMemory }) {
    const { promote: isPromoted } = options;
    const isReviewed = !isPromoted;
    const isTask = numberOfTaskId(source) !== undefined;
    const loop = isTask ? undefined : readLoop(source);
    const { learnings } = await openMemory();
    const result = isTask
      ? await learnings.learnFromTask(source, { isReviewed })
      : await learnings.learnFromLoop(loop, { isReviewed });
    if (format === "json") terminal.out(renderJson(result));
    else {
      const { extracted, promoted, rejected, skipped } = result;
      terminal.out(`Extracted ${counted(extracted, "learning")}\n`);
      if (isPromoted) {
        const deleted = skipped === 0 ? "" : `, ${skipped} skipped (deleted here)`;
        terminal.out(`${promoted} promoted, ${rejected} rejected${deleted}\n`);
      } else if (extracted > 0) terminal.talk('Staged; decide on them with "ralph learnings review"\n');
    }
  },
});

function readLoop(file: string): unknown {
  const text = readDocument(file);
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new RalphError("file-unusable", `${file === "-" ? "Standard input" : file} is not valid JSON`, {
      hint: "expected a loop with loopId, objective and iterations; nothing was changed",
      cause,
    });
  }
}

const reviewCommand = defineCommand({
  summary: "accept, edit or reject staged learnings",
  description:
    "On a terminal, shows each learning with its evidence and asks what to do. With options, decides without asking;\n" +
    "otherwise lists what is staged. Accepted learnings are validated and promoted right away. With the setting\n" +
    "learnings.promotion: review, everything learned or imported is staged first. Findings that another task must confirm\n" +
    "first are only counted.",
  options: {
    accept: list("IDS", "accept these, comma-separated"),
    reject: list("IDS", "reject these, comma-separated; needs --reason"),
    reason: text("TEXT", "why they are rejected"),
    edit: text("ID", "accept this one with a new wording; needs --statement"),
    statement: text("TEXT", "the new wording"),
    all: flag("accept everything pending"),
  },
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
  if (twice !== undefined) throw wrongUse(`${twice} is given twice`);
  return {
    accepted: accept,
    isAllAccepted: all,
    rejected: reject,
    reason,
    edited: edit === undefined ? undefined : { id: edit, statement },
  };
}

function belongTogether(one: string, other: string): RalphError {
  return wrongUse(`${one} and ${other} must be used together`, "see --help for examples");
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

export interface Reviewed {
  accepted: number;
  rejected: number;
  skipped: number;
}

type Decision = keyof Reviewed | "quit";

/** Shows staged learnings one by one and asks what to do; each decision is saved immediately. */
export async function reviewStaged(
  memory: Memory,
  staged: readonly StagedLearning[],
  terminal: Terminal,
  ask: Ask,
): Promise<Reviewed> {
  const reviewed: Reviewed = { accepted: 0, rejected: 0, skipped: 0 };
  for (const [index, entry] of staged.entries()) {
    terminal.talk(`\n[${index + 1} of ${staged.length}] ${renderStaged(entry)}`);
    const decision = await askAbout(memory, entry, terminal, ask);
    if (decision === "quit") break;
    reviewed[decision] += 1;
  }
  return reviewed;
}

async function askAbout(
  memory: Memory,
  entry: StagedLearning,
  terminal: Terminal,
  ask: Ask,
): Promise<Decision> {
  for (;;) {
    const answer = await ask("(a)ccept, (e)dit, (r)eject, (s)kip or (q)uit? ");
    const key = answer === undefined ? "q" : answer.trim().toLowerCase().charAt(0);
    if (key === "q") return "quit";
    if (key === "s") return "skipped";
    try {
      if (key === "a" && (await accept(memory, entry.id, terminal))) return "accepted";
      if (key === "e") {
        const statement = (await ask("New wording: "))?.trim();
        if (!statement) continue;
        await memory.learnings.acceptStaged(entry.id, statement);
        if (await accept(memory, entry.id, terminal)) return "accepted";
      }
      if (key === "r") {
        const reason = (await ask("Reason: "))?.trim();
        if (!reason) continue;
        await memory.learnings.rejectStaged(entry.id, reason);
        return "rejected";
      }
    } catch (error) {
      // Another process may have decided in the meantime; continue with the next one.
      if (!(error instanceof RalphError) || error.code === "interrupted") throw error;
      terminal.talk(`${error.message}\n`);
    }
  }
}

async function accept(memory: Memory, id: string, terminal: Terminal): Promise<boolean> {
  const promoted = await memory.learnings.promoteStaged({ ids: [id], autoValidate: true });
  printPromoted(promoted, { ...terminal, out: (text) => terminal.talk(String(text)) });
  return promoted.rejected.length === 0;
}

const promoteCommand = defineCommand({
  summary: "promote staged learnings without a review",
  description:
    "Learnings are validated first; invalid ones are rejected with a reason. A learning that already exists is\n" +
    "strengthened.",
  arguments: [
    {
      name: "id",
      summary: 'staged learning, as listed by "ralph learnings review"',
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: { all: flag("promote everything pending or validated") },
  examples: ["ralph learnings promote --all", "ralph learnings promote stage-1767225600000-0"],
  async run({ arguments: ids, options, format, terminal, openMemory }) {
    if (ids.length > 0 === options.all)
      throw wrongUse("Give either ids or --all", '"ralph learnings review" lists staged learnings');
    const memory = await openMemory();
    const result = await memory.learnings.promoteStaged({
      autoValidate: true,
      ...(ids.length > 0 && { ids }),
    });
    if (format === "json") terminal.out(renderJson(result));
    else printPromoted(result, terminal);
    return ids.length > 0 && result.rejected.length > 0 ? 1 : 0;
  },
});

const rejectCommand = defineCommand({
  summary: "reject a staged learning",
  description:
    'It stays staged with the reason, and is only promoted if "ralph learnings review --accept" names it.',
  arguments: [{ name: "id", summary: 'staged learning, as listed by "ralph learnings review"' }],
  options: { reason: text("TEXT", "reason (required)") },
  examples: ['ralph learnings reject stage-1767225600000-0 --reason "true of one test only"'],
  async run({ arguments: [id = ""], options, print, openMemory }) {
    const { reason = "" } = options;
    if (reason.trim() === "") throw wrongUse("--reason is missing", "say why it is wrong");
    const rejected = await (await openMemory()).learnings.rejectStaged(id, reason);
    print({ json: rejected, table: `rejected  ${rejected.id}  ${reason}\n` });
  },
});

/** By the word that follows the noun. */
export const reviewCommands = {
  extract: extractCommand,
  review: reviewCommand,
  promote: promoteCommand,
  reject: rejectCommand,
};
