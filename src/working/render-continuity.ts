import { capitalised } from "../text/capitalised.js";
import { neutraliseLine } from "../text/fence/fence.js";

/** A record and its id. */
export interface Reference {
  id: string;
  /** Only one line of it is shown. */
  text: string;
}

export interface CurrentTask {
  id: string;
  status: string;
  description: string;
  attempt?: { id: number; agent?: string | undefined; started: string; iterations: number } | undefined;
}

/** The content of the managed section. */
export interface Continuity {
  task?: CurrentTask | undefined;
  /** The agent's own note about the task. */
  note?: string | undefined;
  memories: readonly Reference[];
  /** The id is missing if there is no record. */
  mistakes: readonly (Pick<Reference, "text"> & { id?: string })[];
}

/** The managed section as Markdown, with one line per record. */
export function renderContinuity({ task, note, memories, mistakes }: Continuity): string {
  return [
    section("Current Task", [
      ...(task === undefined ? [] : taskLines(task)),
      ...(note === undefined ? [] : [`Now: ${neutraliseLine(note)}`]),
    ]),
    renderKnowledge({ memories, mistakes }),
  ].join("\n");
}

export function renderKnowledge({ memories, mistakes }: Pick<Continuity, "memories" | "mistakes">): string {
  return [
    section("Relevant Memories (Auto-Retrieved)", memories.map(referenceLine)),
    section("Mistakes to Avoid (From Learnings)", mistakes.map(referenceLine)),
  ].join("\n");
}

function section(title: string, lines: readonly string[]): string {
  const shown = lines.length === 0 ? ["none"] : lines;
  return [`## ${title}`, ...shown.map((line) => `- ${line}`), ""].join("\n");
}

function referenceLine({ id, text }: { id?: string; text: string }): string {
  return id === undefined ? neutraliseLine(text) : `[${neutraliseLine(id)}] ${neutraliseLine(text)}`;
}

function taskLines({ id, status, description, attempt }: CurrentTask): string[] {
  const facts =
    attempt === undefined
      ? []
      : [
          `attempt ${attempt.id}`,
          ...(attempt.iterations > 0 ? [`iteration ${attempt.iterations}`] : []),
          ...(attempt.agent === undefined ? [] : [`by ${neutraliseLine(attempt.agent)}`]),
          `since ${attempt.started}`,
        ];
  return [
    `[${id}] ${neutraliseLine(description)} (${status})`,
    attempt === undefined ? "No attempt in progress" : capitalised(facts.join(", ")),
  ];
}
