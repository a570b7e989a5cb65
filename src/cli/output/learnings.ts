import type { ExtractedLearning, Learning, StagedLearning } from "../../domain/knowledge/learning.js";
import type { Link } from "../../domain/knowledge/link.js";
import { adviceOf, remedyOf, statementOf } from "../../domain/knowledge/statement.js";
import type { Staleness } from "../../memory/learnings/learning-staleness.js";
import type { Memory } from "../../memory/memory.js";
import type { ImportedDocument } from "../../semantic/exchange/import-learnings.js";
import type { Promoted } from "../../semantic/staging/promote-learnings.js";
import { counted } from "../../text/counted.js";
import { oneLine } from "./terminal/style.js";
import { type Column, renderTable } from "./terminal/table.js";
import type { Terminal } from "./terminal/terminal.js";
import { shownMoment } from "./times.js";

export const learningArgument = { name: "id", summary: "learning id, or a unique prefix of it" };

/** A learning with reasons to doubt it. */
interface MarkedLearning extends Learning {
  /** Ids of learnings that contradict it. */
  contradicted_by?: string[];
  /** How much its files changed since it was learned. */
  stale?: Pick<Staleness, "changed" | "files">;
  /** Something other than Ralph changed it. */
  altered?: true;
}

/** Marks contradicted, stale and altered learnings; cheap without links and commits. */
export async function markLearnings(
  memory: Pick<Memory, "links" | "learnings">,
  learnings: readonly Learning[],
): Promise<MarkedLearning[]> {
  if (learnings.length === 0) return [];
  const opposed = new Map<string, string[]>();
  const oppose = (id: string, other: string) => opposed.set(id, [...(opposed.get(id) ?? []), other]);
  const [links, staleOnes, alteredOnes] = await Promise.all([
    memory.links.list(),
    memory.learnings.findStale(learnings),
    memory.learnings.findAltered(learnings),
  ]);
  for (const { from, to, relation } of links) {
    if (relation !== "contradicts") continue;
    oppose(from, to);
    oppose(to, from);
  }
  const stale = new Map(staleOnes.map((each) => [each.id, each]));
  const altered = new Set(alteredOnes);
  return learnings.map((learning) => {
    const contradicted = opposed.get(learning.id);
    const { changed = 0, files } = stale.get(learning.id) ?? {};
    return {
      ...learning,
      ...(contradicted && { contradicted_by: contradicted }),
      ...(files && { stale: { changed, files } }),
      ...(altered.has(learning.id) && { altered: true as const }),
    };
  });
}

/** A learning for scripts, with what it says in words: which field of its content says it depends on its type. */
export function learningJson(
  learning: MarkedLearning,
): MarkedLearning & { statement: string; remedy?: string } {
  const remedy = remedyOf(learning);
  return { ...learning, statement: statementOf(learning), ...(remedy !== "" && { remedy }) };
}

export function renderLearnings(learnings: readonly MarkedLearning[], terminal: Terminal): string {
  const rows = learnings.map((learning) => [
    learning.id,
    learning.type,
    learning.taskType,
    learning.confidence.toFixed(2),
    String(learning.useCount),
    [...marksOf(learning).map((mark) => `(${mark})`), statementOf(learning), ...supportOf(learning)].join(
      " ",
    ),
    remedyOf(learning),
  ]);
  return renderTable(
    [
      "ID",
      { title: "TYPE" },
      { title: "TASK", drop: 2 },
      { title: "CONF", drop: 3 },
      { title: "USES", drop: 1 },
      "STATEMENT",
      remedyColumn,
    ],
    rows,
    terminal,
  );
}

/** What helped is why one looks, so it is never cut. */
const remedyColumn: Column = { title: "REMEDY", isBelow: true };

/** How many tasks show an antipattern or are behind an estimate, and what it is about. */
export function supportOf({ type, sourceLoops, category }: ExtractedLearning): string[] {
  if (type !== "antipattern" && type !== "estimate") return [];
  const tasks = sourceLoops.length === 0 ? [] : [counted(sourceLoops.length, "task")];
  const support = [...tasks, ...(category === undefined ? [] : [category])];
  return support.length === 0 ? [] : [`(${support.join(", ")})`];
}

function marksOf({ superseded_by, contradicted_by = [], stale, altered }: MarkedLearning): string[] {
  return [
    ...(altered ? ["altered: not shown in briefs"] : []),
    ...(superseded_by === undefined ? [] : [`superseded by ${superseded_by}`]),
    ...(contradicted_by.length === 0 ? [] : [`contradicts ${contradicted_by.join(", ")}`]),
    ...(stale === undefined ? [] : ["stale: its files have changed"]),
  ];
}

export function renderLearning(learning: MarkedLearning, terminal: Terminal): string {
  const { useCount, last_used, sourceLoops, source_episodes = [], conditions = [], files = [] } = learning;
  const { superseded_by, contradicted_by = [], stale } = learning;
  const facts = [
    ["ID", learning.id],
    ["Type", [learning.type, ...(learning.category ? [learning.category] : [])].join(", ")],
    ["Task type", learning.taskType],
    ...figuresOf(learning),
    ["Used", `${counted(useCount, "time")}${last_used ? `, last on ${last_used.slice(0, 10)}` : ""}`],
    ["Applies", conditions.join("; ")],
    ...contentFacts(learning),
    ["Sources", sourceLoops.join(", ")],
    ["Attempts", source_episodes.join(", ")],
    ["Files", [...files, ...(learning.git_commit ? [`at ${learning.git_commit}`] : [])].join(" ")],
    [
      "Created",
      `${shownMoment(learning.createdAt, terminal)}, updated ${shownMoment(learning.updatedAt, terminal)}`,
    ],
    ["Superseded", superseded_by ? `by ${superseded_by}, which is shown instead` : ""],
    ["Contradicts", contradicted_by.length > 0 ? `${contradicted_by.join(", ")}: one of them is wrong` : ""],
    ["Stale", stale ? staleSentence(stale) : ""],
    ["Altered", learning.altered ? 'outside Ralph, so no brief shows it (run "ralph doctor")' : ""],
  ];
  return `${oneLine(statementOf(learning))}\n\n${renderFacts(facts)}`;
}

function staleSentence({ changed, files }: Pick<Staleness, "changed" | "files">): string {
  const share = Math.round(changed * 100);
  return `up to ${share} % of ${files.join(", ")} changed since; check if it still holds`;
}

/** What a learning says besides its statement. */
function contentFacts(learning: ExtractedLearning): string[][] {
  const { why, prevention, occurrences, iterations, examples = [] } = learning.content;
  return [
    ["Why", why ?? ""],
    ["Prevention", prevention ?? ""],
    ["Do", learning.correct_approach === prevention ? "" : (learning.correct_approach ?? "")],
    ["Don't", learning.incorrect_approach ?? ""],
    ["Seen", occurrences === undefined ? "" : counted(occurrences, "time")],
    ["Seen", iterations === undefined ? "" : `in ${counted(iterations, "iteration")}`],
    ["Examples", examples.join(", ")],
  ];
}

export function figuresOf({ confidence, successRate, type }: ExtractedLearning): string[][] {
  return [
    ["Confidence", confidence.toFixed(2)],
    ["Success", type === "antipattern" ? "" : successRate.toFixed(2)],
  ];
}

/** One line per name and value; empty values are skipped. */
export function renderFacts(facts: readonly (readonly string[])[]): string {
  return facts
    .filter(([, value = ""]) => value !== "")
    .map(([name = "", value = ""]) => `${`${name}:`.padEnd(12)} ${oneLine(value)}\n`)
    .join("");
}

export function renderStagedTable(staged: readonly StagedLearning[], terminal: Terminal): string {
  const rows = staged.map(({ id, status, learning, rejectionReason, reason }) => [
    id,
    status,
    learning.type,
    learning.taskType,
    learning.confidence.toFixed(2),
    learning.sourceLoops.join(", "),
    [
      ...(reason ? [`(${reason})`] : []),
      statementOf(learning),
      ...supportOf(learning),
      ...(rejectionReason ? [`(rejected: ${rejectionReason})`] : []),
    ].join(" "),
    remedyOf(learning),
  ]);
  return renderTable(
    [
      "ID",
      { title: "STATUS", drop: 5 },
      { title: "TYPE" },
      { title: "TASK", drop: 3 },
      { title: "CONF", drop: 2 },
      { title: "FROM", drop: 1 },
      "STATEMENT",
      remedyColumn,
    ],
    rows,
    terminal,
  );
}

/** A staged learning with its evidence, for review. */
export function renderStaged({ id, learning, reason = "" }: StagedLearning): string {
  const facts = [
    ["ID", id],
    ["Type", `${learning.type}, ${learning.taskType}`],
    ["Careful", reason],
    ...figuresOf(learning),
    ...contentFacts(learning),
    ["Sources", learning.sourceLoops.join(", ")],
    ["Attempts", (learning.source_episodes ?? []).join(", ")],
    ["Files", (learning.files ?? []).join(" ")],
  ];
  return `${oneLine(adviceOf(learning))}\n\n${renderFacts(facts)}`;
}

/** Prints one line for each promoted or rejected learning. */
export function printPromoted({ learnings, rejected, skipped }: Promoted, terminal: Terminal): void {
  for (const learning of learnings)
    terminal.out(`promoted  ${learning.id}  ${oneLine(adviceOf(learning))}\n`);
  for (const { id, learning, rejectionReason = "" } of rejected)
    terminal.out(`rejected  ${id}  ${rejectionReason}: ${oneLine(adviceOf(learning))}\n`);
  if (skipped > 0) terminal.talk(`${skipped} skipped: deleted here\n`);
  if (learnings.length + rejected.length + skipped === 0) terminal.talk("Nothing to promote\n");
}

/** Prints what became of the learnings of a document, and why some of them wait for a person. */
export function printImported(
  { added, merged, unchanged, skipped, staged }: ImportedDocument,
  terminal: Terminal,
  heading = "",
): void {
  const counts = [
    `${added} added`,
    `${merged} merged`,
    `${unchanged} unchanged`,
    `${skipped} skipped (deleted or rejected here)`,
    ...(staged.length === 0 ? [] : [`${staged.length} staged for a review`]),
  ];
  terminal.out(`${heading}${counts.join(", ")}\n`);
  for (const { id, reason } of staged) terminal.out(`staged  ${id}  ${oneLine(reason)}\n`);
  if (staged.length > 0) terminal.talk('Decide on them with "ralph learnings review"\n');
}

export function renderLinks(links: readonly Link[]): string[] {
  return links.map(({ from, relation, to }) => oneLine(`${from} ${relation} ${to}`));
}
