import type { Learning, LearningType } from "../domain/knowledge/learning.js";
import { isLinkRelation, type LinkRelation } from "../domain/knowledge/link.js";
import { maxNoteBytes, type NoteType } from "../domain/knowledge/note.js";
import { sha256, uuidFrom } from "../domain/sha256.js";
import { type Action, isActionType } from "../domain/tasks/action.js";
import { qualityPoints } from "../domain/tasks/attempt.js";
import type { Task } from "../domain/tasks/task.js";
import type { AttemptHistory, TaskHistory } from "../episodic/history/query-history.js";
import type { ForeignRecord } from "../memory/imports/foreign-record.js";
import { defined } from "./fields.js";

type Given<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

/** The required fields of a task; all others are optional. */
export interface NewTask extends Given<TaskHistory> {
  /** Its UUID is derived from the layout and its id there, so that repeated imports are recognised. */
  layout: string;
  id: string;
  description: string;
  created: string;
  status: TaskHistory["status"];
  /** The only attempt, which ended when the task did. */
  attempt?: NewTaskAttempt | undefined;
}

interface NewTaskAttempt extends Omit<NewAttempt, "id" | "task" | "started" | "outcome"> {
  started?: string | undefined;
  outcome?: Given<NonNullable<AttemptHistory["outcome"]>>;
}

/** A task from another tool. */
export function newTask({ layout, attempt, ...given }: NewTask): TaskHistory {
  const { id, description, created, updated = created, status, constraints = [] } = given;
  const attempts = given.attempts ?? [];
  if (attempt !== undefined) {
    const { started = created, ended = updated, outcome, ...rest } = attempt;
    const isOver = status === "completed" || status === "failed";
    attempts.push(
      newAttempt({
        ...{ ...rest, id: 1, task: { id, description, constraints }, started },
        ...(isOver && {
          ended,
          outcome: {
            status: status === "completed" ? "success" : "failure",
            ...{ what_worked: [], what_didnt_work: [], suggestions_for_next_time: [] },
            ...defined(outcome ?? {}),
          },
        }),
      }),
    );
  }
  const last = attempts.at(-1)?.id ?? 0;
  return {
    ...{ uuid: uuidFrom(`${layout} ${id}`), updated, current_attempt: last, total_attempts: last },
    ...{ tags: [], related_tasks: [], constraints: [], reflections: [], memory_capacity_changes: [] },
    ...(status === "completed" && { completed: updated }),
    ...(defined(given) as Pick<TaskHistory, "id" | "description" | "created" | "status">),
    attempts,
  };
}

export interface NewAttempt extends Given<Omit<AttemptHistory, "plan" | "context" | "execution">> {
  id: number;
  started: string;
  task: Pick<Task, "id" | "description"> & Partial<Pick<Task, "phase" | "constraints">>;
  plan?: Given<AttemptHistory["plan"]>;
  files?: string[];
  execution?: Given<AttemptHistory["execution"]>;
}

/** An attempt from another tool. */
export function newAttempt({ task, files = [], plan, execution, ...given }: NewAttempt): AttemptHistory {
  const { id, started, actions = [], results = [] } = given;
  const { phase, constraints = [] } = task;
  const iterations = [...actions, ...results].map(({ iteration }) => iteration);
  return {
    task_id: task.id,
    plan: { approach: task.description, steps: [], ...defined(plan ?? {}) },
    context: { goal: task.description, ...defined({ phase }), constraints, files_involved: files },
    execution: {
      iterations: Math.max(0, ...iterations),
      actions_performed: actions.length,
      quality_history: qualityPoints(results),
      ...defined(execution ?? {}),
    },
    ...{ errors_encountered: [], artifacts_produced: [], milestones: [] },
    ...defined(given),
    ...{ id, started, actions, results },
  };
}

/** An action from another tool, whose name may be a known type. */
export function newAction({
  tool,
  timestamp,
  ...given
}: Pick<Action, "timestamp" | "tool"> & Given<Action>): Action {
  const type = tool.toLowerCase();
  return {
    ...{ iteration: 1, timestamp, ...(isActionType(type) && { type }), tool, params: {} },
    success: given.error === undefined,
    ...defined(given),
  };
}

/** The required fields of a learning; all others are optional. */
export interface NewLearning extends Omit<Given<Learning>, "id"> {
  layout: string;
  foreignId: string;
  type: LearningType;
  createdAt: string;
  /** What it says, if that is a single statement. */
  statement?: string;
}

/** A learning from another tool. If its id is not a valid learning id, one is derived from it. */
export function newLearning({ layout, foreignId, statement = "", ...given }: NewLearning): Learning {
  const { type, createdAt } = given;
  return {
    ...{ id: learningIdFrom(layout, foreignId), taskType: "general", confidence: 0.7, sourceLoops: [] },
    ...{ updatedAt: createdAt, useCount: 0, successRate: type === "antipattern" ? 0 : 1 },
    content: contentOf(type, statement),
    ...(defined(given) as Pick<Learning, "type" | "createdAt">),
  };
}

export function learningIdFrom(layout: string, foreignId: string): string {
  if (/^learn-[\w-]+$/.test(foreignId)) return foreignId;
  return `learn-${sha256(`${layout} ${foreignId}`).slice(0, 12)}`;
}

export function contentOf(type: LearningType, statement: string): Learning["content"] {
  return type === "convention" ? { pattern: statement } : { description: statement };
}

interface RecordPlace {
  id: string;
  line?: number | undefined;
  original?: unknown;
}

export function taskRecord(given: NewTask & RecordPlace): ForeignRecord {
  const { line, original, ...task } = given;
  return { kind: "task", id: task.id, ...defined({ line }), original, record: newTask(task) };
}

export function learningRecord({
  id,
  line,
  original,
  ...given
}: Omit<NewLearning, "foreignId"> & RecordPlace): ForeignRecord {
  const record = newLearning({ ...given, foreignId: id });
  return { kind: "learning", id, ...defined({ line }), original, record };
}

/** A link whose relation is another tool's word. */
export function linkRecord(
  { from, word, to }: { from: string; word: string; to: string },
  place: { id?: string; line?: number | undefined; original?: unknown } = {},
): ForeignRecord {
  const record = { from, to, relation: nearestRelation(word) };
  return { kind: "link", id: `${from} ${word} ${to}`, ...defined(place), record };
}

/** Other tools' words with the nearest relation. */
const relationWords: Partial<Record<LinkRelation, string>> = {
  supersedes: "replaces obsoletes deprecates overrides",
  superseded_by: "replaced_by succeeded_by obsoleted_by",
  contradicts: "conflicts_with disagrees_with opposes contrasts_with",
  derived_from:
    "derives_from derives based_on discovered_from caused_by originates_from learned_from spawned_by inspired_by results_from",
  example_of: "instance_of is_a type_of",
  elaborates:
    "extends part_of refines implements parent_child child_of belongs_to details describes documents explains",
};

const relations = new Map(
  Object.entries(relationWords).flatMap(([relation, words]) =>
    words.split(" ").map((word) => [word, relation as LinkRelation] as const),
  ),
);

/** The relation for another tool's word in any spelling: `part of`, `part-of`, `PART_OF`. */
export function nearestRelation(word: string): LinkRelation {
  const plain = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (isLinkRelation(plain)) return plain;
  return relations.get(plain) ?? "related_to";
}

export interface NewNote extends RecordPlace {
  type: NoteType;
  text: string;
  /** Repeated above each part of a text that is too long for one note. */
  title?: string | undefined;
  tags: readonly string[];
  /** An ISO timestamp or date. */
  created?: string | undefined;
}

/** The placeholders for secrets can be longer than the secrets. */
const spareBytes = 1024;

/** A text as a note, or as several if it is too long for one; empty if the text is. The original defaults to the text. */
export function noteRecords({ id, type, text, title = "", tags, created, line, original }: NewNote) {
  const parts = splitText(text, maxNoteBytes - spareBytes - Buffer.byteLength(title));
  return parts.map(
    (part, index): ForeignRecord => ({
      kind: "note",
      id: index === 0 ? id : `${id} (${index + 1})`,
      ...defined({ line }),
      original: index === 0 ? (original ?? text) : part,
      record: {
        ...{ type, content: title === "" ? part : `${title}\n${part}`, tags },
        ...(created !== undefined && { created: created.slice(0, 10) }),
      },
    }),
  );
}

/** Splits between paragraphs, else between lines, words, or anywhere. */
function splitText(text: string, mostBytes: number): string[] {
  const plain = text.replaceAll("\0", "").trim();
  if (plain === "") return [];
  if (Buffer.byteLength(plain) <= mostBytes) return [plain];
  const separator = ["\n\n", "\n", " "].find((each) => plain.includes(each));
  if (separator === undefined) {
    const half = Math.ceil(plain.length / 2);
    return [plain.slice(0, half), plain.slice(half)].flatMap((part) =>
      splitText(part.toWellFormed(), mostBytes),
    );
  }
  const parts: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const piece of plain.split(separator)) {
    const size = Buffer.byteLength(piece) + separator.length;
    if (bytes + size > mostBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(piece);
    bytes += size;
  }
  return parts.flatMap((part) => splitText(part.join(separator), mostBytes));
}
