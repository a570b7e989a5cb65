import { type OutcomeStatus, outcomes } from "../../domain/tasks/attempt.js";
import type { StartedWithBrief } from "../../memory/tasks/start-task.js";
import { isKept } from "../../memory/team/outbox.js";
import { callingRunner } from "../../processes/runner.js";
import { counted } from "../../text/counted.js";
import { clipDeep } from "../../text/secrets/clip-output.js";
import { defineCommand, wrongUse } from "../framework/command.js";
import { flag, list, number, text, texts } from "../framework/options.js";
import { readContentFile, readDocument } from "../input/read-content.js";
import { readLines } from "../input/read-lines.js";
import { renderReflection } from "../output/history.js";
import { oneLine, renderJson } from "../output/terminal/style.js";

const initTaskCommand = defineCommand({
  summary: "create a task",
  description: "The first of the commands for runners other than ralph run: init, start, log, complete.",
  arguments: [{ name: "description", summary: "what to do" }],
  options: {
    criteria: text("TEXT", "completion criteria"),
    tag: list("TAGS", "task tags, comma-separated", { aliases: ["tags"] }),
    agent: text("NAME", "agent that works on it"),
    phase: text("NAME", "project phase"),
    related: list("TASKS", "related tasks, comma-separated"),
    constraint: texts("TEXT", "constraint to respect; repeatable"),
  },
  formats: ["table", "json", "quiet"],
  examples: ['ralph task init "Fix the login test" --criteria "npm test passes" --tag auth --json'],
  async run({ arguments: [description = ""], options, print, openMemory }) {
    const memory = await openMemory();
    const task = await memory.tasks.init({
      description,
      completion_criteria: options.criteria,
      tags: options.tag,
      agent: options.agent,
      phase: options.phase,
      constraints: options.constraint,
      related_tasks: options.related,
    });
    print({ json: { task_id: task.id }, quiet: task.id, table: `Task created: ${task.id}\n` });
  },
});

const startAttemptCommand = defineCommand({
  summary: "start the next attempt of a task",
  description:
    "Prints the lessons of earlier attempts and a plan that starts with them. Only one attempt can run at a time; if the\n" +
    "process that started it is gone, the next start marks it as interrupted.",
  arguments: [{ name: "task", summary: "task id, such as task-001" }],
  options: {
    plan: text("FILE", "file that describes the approach; - for standard input"),
    step: texts("TEXT", "step of the plan; repeatable"),
    estimate: number("N", "how many iterations it may take"),
    agent: text("NAME", "agent that works on the attempt"),
    memory: text(
      "N",
      "how many reflections to start with: a number, simple, moderate, complex or maximum [default: 3]",
      { short: "m" },
    ),
  },
  examples: [
    "ralph task start task-001",
    "ralph task start task-001 --plan plan.md --estimate 3 --json",
    'echo "Mock the clock" | ralph task start task-001 --plan -',
  ],
  async run({ arguments: [id = ""], options, terminal, print, openMemory }) {
    const memory = await openMemory();
    const { plan: file } = options;
    const approach = file === undefined ? undefined : readContentFile(file).trim();
    const started = await memory.tasks.start(id, {
      plan: { approach, steps: options.step, estimated_iterations: options.estimate },
      agent: options.agent,
      memory: options.memory,
      runner: callingRunner(),
    });
    if (started.reopened) terminal.talk(`Note: ${started.taskId} was completed; it is open again\n`);
    print({ json: toJson(started), table: started.planText });
  },
});

/** Uses the published field names. */
function toJson({
  taskId,
  attemptId,
  planText,
  memoryCapacity,
  handoffTexts: _texts,
  ...others
}: StartedWithBrief) {
  return {
    task_id: taskId,
    attempt_id: attemptId,
    plan_text: planText,
    memory_capacity: memoryCapacity,
    ...others,
  };
}

const logCommand = defineCommand({
  summary: "log actions, milestones and quality for the current attempt",
  description:
    'Reads JSON Lines: an action has a "tool", a milestone an "event", the result of an iteration a "quality". An\n' +
    '"idempotency_key" prevents an action from being logged twice. Reading stops at a malformed line; the lines before it\n' +
    "are logged, unless you pass --atomic.",
  arguments: [
    { name: "task", summary: "task id, such as task-001" },
    { name: "-", summary: "standard input (the default)", isOptional: true },
  ],
  options: { atomic: flag("log all lines or none") },
  examples: [
    `echo '{"tool":"Bash","params":{"command":"npm test"},"success":false}' | ralph task log task-001`,
    `echo '{"event":"tests pass","iteration":2}' | ralph task log task-001 -`,
  ],
  async run({ arguments: [id = ""], options, terminal, print, openMemory }) {
    const { tasks } = await openMemory();
    const read = await readEntries();
    const { malformed } = await tasks.log(id, read.entries, { dryRun: true });
    const valid = read.entries.slice(0, malformed?.index);
    const wrong = malformed ? { line: read.lines[malformed.index], what: malformed.message } : read.notJson;
    const problem =
      wrong &&
      wrongUse(
        `Line ${wrong.line}: ${wrong.what}`,
        `${valid.length} ${valid.length === 1 ? "entry" : "entries"} before it; fix the line and log the rest`,
      );
    if (problem !== undefined && (options.atomic || valid.length === 0)) throw problem;
    const logged = await tasks.log(id, valid);
    const again = logged.duplicates === 0 ? "" : `, skipped ${counted(logged.duplicates, "duplicate")}`;
    const later = logged.waiting === undefined ? "" : `; ${logged.waiting} waiting on this machine`;
    for (const why of logged.degraded ?? []) terminal.talk(`Note: ${oneLine(why)}\n`);
    print({ json: logged, table: `Logged ${logged.logged}${again}${later}\n` });
    if (problem !== undefined) throw problem;
  },
});

interface ReadEntries {
  entries: object[];
  /** Line number of each entry. */
  lines: number[];
  /** The first line that is not JSON; reading stops there. */
  notJson?: { line: number; what: string };
}

/** Longer lines are clipped at once as they are stored, so that a log of any length fits into memory. */
const longLine = 64 * 1024;

async function readEntries(): Promise<ReadEntries> {
  const entries: object[] = [];
  const lines: number[] = [];
  for (const { text, number } of readLines()) {
    if (text.trim() === "") continue;
    try {
      const entry = JSON.parse(text);
      entries.push(text.length > longLine ? await clipDeep(entry) : entry);
      lines.push(number);
    } catch {
      return { entries, lines, notJson: { line: number, what: "not valid JSON" } };
    }
  }
  return { entries, lines };
}

const completeCommand = defineCommand({
  summary: "end the current attempt and reflect on it",
  description:
    "The reflection lists the failing tests, error codes and locations found in the output, and compares them with the\n" +
    "previous attempt. The next attempt starts with it.",
  arguments: [{ name: "task", summary: "task id, such as task-001" }],
  options: {
    outcome: text("OUTCOME", "outcome of the attempt", { values: outcomes }),
    output: text("FILE", "file with the output of the verification; - for standard input"),
    quality: text("Q", "quality of the result, from 0 to 1"),
    reason: text("TEXT", "reason for the outcome"),
    reflection: text("TEXT", "your own reflection, instead of the rule-based one"),
    worked: texts("TEXT", "what worked; repeatable"),
    percent: number("P", "how much of the task is done, from 0 to 100"),
    limit: text("TEXT", "time or cost limit that ended the attempt"),
    artifact: list("FILES", "files it produced, comma-separated"),
    commit: text("ID", "resulting Git commit"),
  },
  examples: ["npm test > out.txt 2>&1 || ralph task complete task-001 --outcome failure --output out.txt"],
  async run({ arguments: [id = ""], options, format, terminal, print, openMemory }) {
    const { outcome, output: file } = options;
    if (outcome === undefined) throw wrongUse("--outcome is missing", `one of: ${outcomes.join(", ")}`);
    const output = file === undefined ? undefined : readDocument(file);
    const memory = await openMemory();
    const completed = await memory.tasks.completeOrLater(id, {
      outcome: outcome as OutcomeStatus,
      output,
      quality: readQuality(options.quality),
      reason: options.reason,
      limit: options.limit,
      whatWorked: options.worked,
      completionPercent: options.percent,
      ...(options.reflection && { reflection: { observation: options.reflection } }),
      artifacts: options.artifact,
      gitCommit: options.commit,
    });
    if (isKept(completed)) {
      print({ json: completed, table: `The result of ${id} waits on this machine.\n` });
      return 0;
    }
    for (const why of completed.degraded ?? []) terminal.talk(`Note: ${oneLine(why)}\n`);
    const { attempt, reflection, task_reflection: onTask } = completed;
    const reflections = [reflection, onTask].flatMap((each) => each ?? []);
    if (format === "json") terminal.out(renderJson(completed));
    else if (reflections.length > 0) terminal.out(reflections.map(renderReflection).join("\n"));
    else terminal.out(`Attempt ${attempt.id} of ${attempt.task_id}: ${outcome}. Nothing to reflect on.\n`);
  },
});

function readQuality(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const quality = Number(text);
  if (text.trim() !== "" && quality >= 0 && quality <= 1) return quality;
  throw wrongUse(`--quality takes a number from 0 to 1, not ${JSON.stringify(text)}`);
}

/** By the word that follows the noun. */
export const recordingCommands = {
  init: initTaskCommand,
  start: startAttemptCommand,
  log: logCommand,
  complete: completeCommand,
};
