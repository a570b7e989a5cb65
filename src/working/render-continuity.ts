import { capitalised } from "../text/capitalised.js";
import { neutraliseLine } from "../text/fence/fence.js";

/** A record that is referred to by its id. */
export interface Reference {
  id: string;
  /** What it says; one line of it is shown. */
  text: string;
}

export interface CurrentTask {
  id: string;
  status: string;
  description: string;
  attempt?: { id: number; agent?: string | undefined; started: string; iterations: number } | undefined;
}

/** What the managed section tells. */
export interface Continuity {
  task?: CurrentTask | undefined;
  /** What the agent itself says about it. */
  note?: string | undefined;
  memories: readonly Reference[];
  /** With an id where there is a record behind it. */
  mistakes: readonly (Pick<Reference, "text"> & { id?: string })[];
}

/** The managed section as Markdown: it refers to records by id, a line each. */
export function renderContinuity({ task, note, memories, mistakes }: Continuity): string {
  return [
    section("Current Task", [
      ...(task === undefined ? [] : taskLines(task)),
      ...(note === undefined ? [] : [`Now: ${neutraliseLine(note)}`]),
    ]),
    renderKnowledge({ memories, mistakes }),
  ].join("\n");
}

/** The two lists of what is known. */
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
  const isUnderWay = attempt !== undefined;
  return [
    `[${id}] ${neutraliseLine(description)} (${status})`,
    isUnderWay ? capitalised(facts.join(", ")) : "No attempt is under way",
  ];
}
