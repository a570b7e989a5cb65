import type { BriefRecord } from "../../domain/knowledge/brief.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { RalphError } from "../../domain/ralph-error.js";
import { pickAttempt } from "../../domain/tasks/attempt.js";
import { type TaskStatus, taskStatuses } from "../../domain/tasks/task.js";
import type { Memory } from "../../memory/memory.js";
import { runsOf } from "../../memory/runs/runs.js";
import { type TaskRow, taskRow } from "../views/task-row.js";
import { type ActionView, type TaskView, viewAction, viewTask } from "../views/task-view.js";
import { countOf, flagOf, type Listed, pageOf, textOf, wordOf } from "./query.js";
import type { Asked, Routes } from "./route.js";

export interface TaskList extends Listed<TaskRow> {
  /** Of all tasks but for the status. */
  counts: Partial<Record<TaskStatus, number>>;
}

/** A record that a brief showed, with what it says. */
export interface ShownRecord extends BriefRecord {
  statement?: string;
}

export interface TaskPage extends TaskView {
  shown: { isHoldout: boolean | undefined; records: ShownRecord[] };
  links: Awaited<ReturnType<Memory["links"]["list"]>>;
}

const mostFound = 200;
const actionsOnPage = 300;

export const taskRoutes: Routes = {
  "GET /api/tasks": listTasks,
  "GET /api/tasks/:id": ({ memory, parts: [id = ""], page }) => readTaskPage(memory, id, page.now()),
  "GET /api/tasks/:id/actions": async ({ memory, parts: [id = ""], query }): Promise<ActionView[]> => {
    const from = countOf(query, "from") ?? 1;
    const { steps } = await memory.tasks.replay(id, { attempt: countOf(query, "attempt") ?? 1, from });
    return steps
      .slice(0, actionsOnPage)
      .map(({ step, at_seconds: _at, took_seconds: tookSeconds, ...action }) => {
        const until = new Date(Date.parse(action.timestamp) + tookSeconds * 1000).toISOString();
        return viewAction(action, step, until);
      });
  },
  "GET /api/tasks/:id/text": async (asked) => ({ text: await wholeText(asked) }),
};

export async function readTaskPage(memory: Memory, id: string, now: Date): Promise<TaskPage> {
  const history = await memory.tasks.history(id);
  const [learned, shown, links] = await Promise.all([
    runsOf(memory).learnedFrom(history.id),
    memory.tasks.shown(history.id),
    memory.links.list(history.id),
  ]);
  const records = await Promise.all(shown.records.map((record) => withStatement(memory, record)));
  return { ...viewTask(history, learned, now), shown: { isHoldout: shown.isHoldout, records }, links };
}

async function listTasks({ memory: { tasks }, query }: Asked): Promise<TaskList> {
  const { page, limit, offset } = pageOf(query);
  const status = wordOf(query, "status", taskStatuses);
  const [text, agent, tag, since] = ["q", "agent", "tag", "since"].map((name) => textOf(query, name));
  const filter = {
    ...(agent !== undefined && { agent }),
    ...(tag !== undefined && { tags: [tag] }),
    ...(since !== undefined && { since: timeOf(since) }),
    includesArchived: flagOf(query, "archived") ?? false,
  };
  const counts = await tasks.count(filter);
  const chosen = { ...filter, ...(status !== undefined && { statuses: [status] }) };
  if (text !== undefined) {
    const found = await tasks.search({ ...chosen, text, limit: mostFound });
    const rows = found.slice(offset, offset + limit).map(({ excerpt, ...task }) => ({
      ...taskRow(task),
      ...(excerpt.from !== "description" && { excerpt }),
    }));
    return { rows, total: found.length, page, limit, counts };
  }
  const rows = (await tasks.list({ ...chosen, limit, offset })).map(taskRow);
  const total =
    status === undefined
      ? Object.values(counts).reduce((sum, count) => sum + count, 0)
      : (counts[status] ?? 0);
  return { rows, total, page, limit, counts };
}

function timeOf(given: string): string {
  const time = Date.parse(given);
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new RalphError("wrong-use", `since is a date such as 2026-01-31, not ${given.slice(0, 40)}`);
}

/** A text of which only the beginning was shown. */
async function wholeText({ memory, parts: [id = ""], query }: Asked): Promise<string> {
  const history = await memory.tasks.history(id, { isFull: true });
  const attempt = pickAttempt(history, history.attempts, countOf(query, "attempt"));
  const part = wordOf(query, "part", ["plan", "output", "said", "error", "reasoning"]) ?? "output";
  const step = countOf(query, "step");
  const iteration = countOf(query, "iteration", 0);
  const text =
    part === "plan"
      ? attempt.plan_text
      : step === undefined
        ? attempt.results.find((result) => result.iteration === iteration)?.[
            part === "said" ? "said" : "output"
          ]
        : attempt.actions[step - 1]?.[part === "said" ? "output" : part];
  if (text !== undefined) return text;
  throw new RalphError("not-found", `Attempt ${attempt.id} of ${history.id} has no such text`);
}

async function withStatement(memory: Memory, { id, kind }: BriefRecord): Promise<ShownRecord> {
  try {
    if (kind === "learning") return { id, kind, statement: statementOf(await memory.learnings.get(id)) };
    if (kind === "note") return { id, kind, statement: (await memory.notes.get(id)).content };
  } catch (error) {
    // It may have been deleted since.
    if (!(error instanceof RalphError) || (error.code !== "not-found" && error.code !== "ambiguous"))
      throw error;
  }
  return { id, kind };
}
