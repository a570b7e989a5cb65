import { basename } from "node:path";
import type { OutcomeStatus } from "../../domain/tasks/attempt.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import type { ForeignRecord } from "../../memory/imports/foreign-record.js";
import { type Section, sectionsOf } from "../markdown/sections.js";
import { newAttempt, newTask } from "../new-task.js";
import { RecordFields } from "../record-fields.js";
import type { SourceFolder } from "../source-folder.js";
import type { PlacedSection } from "./task-groups.js";

interface Ending {
  status: TaskStatus;
  outcome?: OutcomeStatus;
  quality?: number;
}

const endings: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ["success", { status: "completed", outcome: "success" }],
  ["partial", { status: "failed", outcome: "failure", quality: 0.5 }],
  ["fail", { status: "failed", outcome: "failure" }],
]);

const longestText = 4000;

/** The summary of a session: a task with one attempt for each task in it. */
export function rolloutSection(source: SourceFolder, file: string): PlacedSection {
  const text = source.findText(file) ?? "";
  const [head = ""] = text.split(/^\s*$|^#/m, 1);
  const fields = new RecordFields(fieldsOf(head), source.place(file));
  const sections = sectionsOf(text.slice(head.length));
  const title = sections.flatMap(({ headings }) => headings)[0] ?? basename(file, ".md");
  const tasks = sections.filter(({ headings }) => /^Task \d+/i.test(headings.at(-1) ?? ""));
  const ended = fields.findTime("updated_at") ?? timeInName(file);
  const times = { started: timeInName(file) ?? ended, ended: ended ?? new Date(0).toISOString() };
  const id = fields.findText("thread_id") ?? file;
  const told = tasks.length > 0 ? tasks : sections.slice(0, 1);
  const records = told.map((section, index) =>
    taskRecord(section, { id: `${id}/${index + 1}`, title, ...times, started: times.started ?? times.ended }),
  );
  return { name: title, file, cwd: fields.findText("cwd"), records };
}

interface RolloutTask {
  id: string;
  title: string;
  started: string;
  ended: string;
}

function taskRecord(
  { headings, text, line }: Section,
  { id, title, started, ended }: RolloutTask,
): ForeignRecord {
  const word = /^Outcome:\s*(\w+)/im.exec(text)?.[1]?.toLowerCase() ?? "";
  const { status, outcome, quality }: Ending = endings.get(word) ?? { status: "paused" };
  const named = (headings.at(-1) ?? title).replace(/^Task \d+:?\s*/i, "");
  const description = named === "" ? title : named;
  const told = [
    title,
    text
      .replace(/^Outcome:.*$/gim, "")
      .trim()
      .slice(0, longestText),
  ].filter(Boolean);
  const attempt = newAttempt({
    ...{ id: 1, task: { id, description }, started, execution: { agent: "codex", iterations: 1 } },
    ...(outcome !== undefined && {
      ended,
      outcome: {
        ...{ status: outcome, ...(quality !== undefined && { final_quality: quality }) },
        what_worked: outcome === "success" ? told.toReversed() : [],
        what_didnt_work: outcome === "success" ? [] : told,
        suggestions_for_next_time: [],
      },
    }),
  });
  const record = newTask({
    ...{ layout: "codex", id, description, created: started, updated: ended, status, agent: "codex" },
    ...{ attempts: [attempt], ...(status === "completed" && { completed: ended }) },
  });
  return { kind: "task", id, line, original: { title, text }, record };
}

/** Lines such as `cwd: /home/me/project`. */
function fieldsOf(head: string): Record<string, string> {
  const lines = head.split(/\r?\n/).flatMap((line) => {
    const [, name = "", value = ""] = /^(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
    return name === "" ? [] : [[name, value]];
  });
  return Object.fromEntries(lines);
}

/** As in `2026-01-06T10-00-00-a1B2-name.md`. */
function timeInName(file: string): string | undefined {
  const [, day, hours, minutes, seconds] =
    /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)/.exec(basename(file)) ?? [];
  const time = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
