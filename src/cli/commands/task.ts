import {
  aboutAttempt,
  effectivenessRatings,
  type ReflectionType,
  reflectionTypes,
} from "../../domain/tasks/reflection.js";
import { defineCommand } from "../framework/command.js";
import { allOption, flag, limitOption, number, text, texts, untilOption } from "../framework/options.js";
import { printList } from "../framework/print.js";
import { renderReflection } from "../output/history.js";
import { renderTask, taskFilterOf, taskFilterOptions, taskTable } from "../output/tasks.js";
import { recordingCommands } from "./task-recording.js";

const taskArgument = { name: "task", summary: "task id, such as task-001" };

const list = defineCommand({
  summary: "list tasks, newest first",
  description: '"ralph history" shows the same list, and exports it.',
  options: {
    ...taskFilterOptions,
    until: untilOption,
    limit: limitOption(),
    all: allOption,
    archived: flag("include archived tasks"),
  },
  formats: ["table", "json", "quiet"],
  isLong: true,
  examples: [
    "ralph task list",
    "ralph task list --status failed,paused -n 5",
    "ralph task list --since 7d --json",
  ],
  async run(invocation) {
    const { options, terminal, openMemory } = invocation;
    const { tasks } = await openMemory();
    const filter = { ...taskFilterOf(options), includesArchived: options.archived };
    await printList(invocation, {
      find: (limit) => tasks.list({ ...filter, limit }),
      id: ({ id }) => id,
      table: (items) => taskTable(items, terminal),
      empty: "No tasks to show",
    });
  },
});

const show = defineCommand({
  summary: "show a task and how its attempts ended",
  description: '"ralph history" shows it with everything that happened.',
  arguments: [taskArgument],
  isLong: true,
  examples: ["ralph task show task-001", "ralph task show task-001 --json"],
  async run({ arguments: [id = ""], terminal, print, openMemory }) {
    const history = await (await openMemory()).tasks.history(id);
    const { attempts, reflections: _reflections, ...task } = history;
    const ends = attempts.map(({ id: attempt_id, started, ended, outcome }) => ({
      ...{ attempt_id, started, ended, outcome },
    }));
    print({ json: { ...task, attempts: ends }, table: () => renderTask(history, terminal) });
  },
});

const reflect = defineCommand({
  summary: "add a reflection",
  arguments: [taskArgument, { name: "observation", summary: "what happened" }],
  options: {
    analysis: text("TEXT", "why it happened"),
    learning: text("TEXT", "what to do differently"),
    item: texts("TEXT", "action item; repeatable"),
    type: text("TYPE", "reflection type [default: process-improvement]", {
      short: "t",
      values: reflectionTypes,
    }),
  },
  examples: ['ralph task reflect task-001 "The fixture needs a running database" -t constraint-discovery'],
  async run({ arguments: [id = "", observation = ""], options, print, openMemory }) {
    const reflection = await (await openMemory()).tasks.reflect(id, {
      observation,
      analysis: options.analysis,
      learning: options.learning,
      action_items: options.item,
      reflection_type: options.type as ReflectionType | undefined,
    });
    print({ json: reflection, table: () => renderReflection(reflection) });
  },
});

const rate = defineCommand({
  summary: "rate how much a reflection helped",
  description: "Otherwise the next result decides: success rates it helpful, a repeated failure unhelpful.",
  arguments: [
    taskArgument,
    { name: "effectiveness", summary: effectivenessRatings.join(", "), values: effectivenessRatings },
  ],
  options: {
    attempt: number("N", "rate the last reflection of this attempt"),
    iteration: number("N", "rate the reflection after this iteration"),
  },
  examples: ["ralph task rate task-001 helpful", "ralph task rate task-001 unhelpful --attempt 2"],
  async run({ arguments: [id = "", rating], options, print, openMemory }) {
    const effectiveness = rating as (typeof effectivenessRatings)[number];
    const reflection = await (await openMemory()).tasks.rate(id, effectiveness, options);
    const about = `${aboutAttempt(reflection.attempt_id)} of ${reflection.task_id}`;
    print({ json: reflection, table: `Rated the reflection ${about} as ${effectiveness}\n` });
  },
});

const pause = defineCommand({
  summary: "pause a running task",
  arguments: [taskArgument],
  examples: ["ralph task pause task-001"],
  async run({ arguments: [id = ""], print, openMemory }) {
    const task = await (await openMemory()).tasks.pause(id);
    print({ json: task, table: `${task.id} is paused\n` });
  },
});

const resume = defineCommand({
  summary: "continue a paused task",
  arguments: [taskArgument],
  examples: ["ralph task continue task-001"],
  async run({ arguments: [id = ""], print, openMemory }) {
    const task = await (await openMemory()).tasks.continue(id);
    print({ json: task, table: `${task.id} is running\n` });
  },
});

export const taskCommands = { ...recordingCommands, list, show, reflect, rate, pause, continue: resume };
