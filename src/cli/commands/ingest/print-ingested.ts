import type { IngestReport } from "../../../memory/ingest/ingest-transcripts.js";
import { counted } from "../../../text/counted.js";
import { oneLine } from "../../output/terminal/style.js";
import type { Terminal } from "../../output/terminal/terminal.js";
import { rankLessons, renderLesson } from "./lessons.js";

const maxLearned = 7;
const maxWidth = 200;
const maxTypes = 5;
const maxProblems = 5;

interface IngestChoice {
  dryRun: boolean;
  isPromoted: boolean;
  /** A path was given. */
  isNamed: boolean;
}

/** What was ingested, what was left out and why, and what was learned. */
export function printIngested(report: IngestReport, choice: IngestChoice, terminal: Terminal): void {
  const { sessions, tasks, continued, actions, ended_with_failure: failed } = report;
  const would = choice.dryRun ? " (dry run: nothing was changed)" : "";
  const goneOn = continued > 0 ? `, ${continued} continued` : "";
  const outcome = failed > 0 ? `; ${failed} failed or interrupted` : "";
  terminal.out(
    `${counted(sessions.ingested, "session")}: ${counted(tasks, "new task")}${goneOn}, ${counted(actions, "action")}${outcome}${would}\n`,
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
    [
      sessions.being_written,
      "perhaps still being written (added to in the last 10 minutes, or day if the last line is cut: run it again later)",
    ],
    [sessions.other_projects, "of other projects"],
    [sessions.older, "older than --since"],
    [sessions.of_ralph_run, "recorded by ralph run"],
    [sessions.without_prompt, "without a prompt"],
    [sessions.only_talk, "in which no tool was used"],
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

/** With the line about the sessions, at most ten. */
function printLearned(report: IngestReport, { dryRun, isPromoted }: IngestChoice, terminal: Terminal): void {
  const { ready, staged, suspect, unconfirmed } = report;
  const learned = dryRun || isPromoted ? ready : staged.map(({ learning }) => learning);
  const lessons = rankLessons(learned);
  const unshown = dryRun || isPromoted ? suspect : 0;
  if (lessons.length === 0) {
    if (report.sessions.ingested > 0)
      terminal.out(
        "Nothing to learn yet: no failure was seen to be solved, and no rule or lesson was stated\n",
      );
  } else {
    terminal.out(
      `${dryRun ? "Would be learned" : isPromoted ? "Learned" : "Learned, waiting for your review"}:\n`,
    );
    const width = Math.min(terminal.width, maxWidth) - 2;
    for (const lesson of lessons.slice(0, maxLearned)) terminal.out(`- ${renderLesson(lesson, width)}\n`);
  }
  const more = lessons.length > maxLearned ? [`${lessons.length - maxLearned} more`] : [];
  const waiting =
    unconfirmed > 0
      ? [
          `${counted(unconfirmed, "more observation")} ${unconfirmed === 1 ? "waits" : "wait"} for another session to confirm`,
        ]
      : [];
  const next =
    dryRun || lessons.length === 0
      ? []
      : [
          isPromoted
            ? 'see "ralph learnings list"'
            : 'accept, edit or reject them with "ralph learnings review"',
        ];
  const heldBack =
    unshown > 0
      ? [
          `${unshown} that ${unshown === 1 ? "reads" : "read"} like an instruction: see "ralph learnings review"`,
        ]
      : [];
  const last = [...more, ...next, ...heldBack, ...waiting].join("; ");
  if (last !== "") terminal.out(`${last}\n`);
}
