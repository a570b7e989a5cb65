import type { ExtractedLearning } from "../../../domain/knowledge/learning.js";
import { adviceOf } from "../../../domain/knowledge/statement.js";
import type { IngestReport } from "../../../memory/ingest/ingest-transcripts.js";
import { counted } from "../../../text/counted.js";
import { unique } from "../../../text/unique.js";
import { truncate } from "../../output/terminal/display-width.js";
import { oneLine } from "../../output/terminal/printable.js";
import type { Terminal } from "../../output/terminal/terminal.js";

const maxLearned = 8;
const maxWidth = 200;
const maxTypes = 5;
const maxProblems = 5;

export interface IngestChoice {
  dryRun: boolean;
  isPromoted: boolean;
  /** A path was given. */
  isNamed: boolean;
}

/** What was ingested, what was left out and why, and what was learned. */
export function printIngested(report: IngestReport, choice: IngestChoice, terminal: Terminal): void {
  const { sessions, tasks, continued, actions, findings } = report;
  const would = choice.dryRun ? " (dry run: nothing was changed)" : "";
  terminal.out(
    `${counted(sessions.ingested, "session")}: ${counted(tasks, "new task")}${continued > 0 ? `, ${continued} continued` : ""}, ` +
      `${counted(actions, "action")}, ${counted(findings, "finding")}${would}\n`,
  );
  const left = leftOut(report, choice);
  if (left !== "") terminal.talk(`Left out: ${left}\n`);
  for (const line of troubles(report)) terminal.talk(`${line}\n`);
  printLearned(report, choice, terminal);
}

function leftOut(
  { sessions, subagents, other_files: files }: IngestReport,
  { isNamed }: IngestChoice,
): string {
  const parts: [number, string][] = [
    [sessions.known, "known already"],
    [sessions.being_written, "perhaps still being written (a later run takes them)"],
    [sessions.other_projects, "of other projects"],
    [sessions.older, "older than --since"],
    [sessions.of_ralph_run, "recorded by ralph run"],
    [sessions.without_prompt, "without a prompt"],
    [subagents.without_session, "of subagents whose session is missing"],
    [isNamed ? files : 0, "other files"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(", ");
}

function troubles({ unknown_rows: unknown, unreadable_rows: unreadable, problems }: IngestReport): string[] {
  const types = Object.entries(unknown).sort(([, one], [, other]) => other - one);
  const total = types.reduce((sum, [, count]) => sum + count, 0);
  const named = types.slice(0, maxTypes).map(([type, count]) => `${oneLine(type)} (${count})`);
  const more = types.length > maxTypes ? ", …" : "";
  return [
    ...(total === 0 ? [] : [`Note: ${counted(total, "row")} of unknown types: ${named.join(", ")}${more}`]),
    ...(unreadable === 0 ? [] : [`Note: ${counted(unreadable, "row")} could not be read`]),
    ...problems.slice(0, maxProblems).map((problem) => `Warning: ${oneLine(problem)}`),
    ...(problems.length > maxProblems
      ? [`Warning: ${problems.length - maxProblems} more files could not be read`]
      : []),
  ];
}

/** At most ten lines. */
function printLearned(
  { ready, staged }: IngestReport,
  { dryRun, isPromoted }: IngestChoice,
  terminal: Terminal,
): void {
  const learned: ExtractedLearning[] = dryRun || isPromoted ? ready : staged.map(({ learning }) => learning);
  const lines = unique(learned.map((learning) => oneLine(adviceOf(learning))));
  if (lines.length === 0) return;
  terminal.out(
    `${dryRun ? "Would be learned" : isPromoted ? "Learned" : "Learned, waiting for your review"}:\n`,
  );
  const width = Math.min(terminal.width, maxWidth) - 2;
  for (const line of lines.slice(0, maxLearned)) terminal.out(`- ${truncate(line, width)}\n`);
  const more = lines.length > maxLearned ? `${lines.length - maxLearned} more; ` : "";
  if (!dryRun)
    terminal.out(
      `${more}${isPromoted ? 'see "ralph learnings list"' : 'accept, edit or reject with "ralph learnings review"'}\n`,
    );
}
