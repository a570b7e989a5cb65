import type { ExtractedLearning } from "../../../domain/knowledge/learning.js";
import { isHabit, remedyOf, statementOf } from "../../../domain/knowledge/statement.js";
import { displayWidth, truncate } from "../../output/terminal/display-width.js";
import { oneLine } from "../../output/terminal/style.js";

/** Something that was learned, and in how many tasks. */
export interface Lesson {
  statement: string;
  /** What helped. */
  remedy: string;
  tasks: number;
}

/** How much of a line what helped may take, if the problem is long as well. */
const remedyShare = 0.6;

/** What a person said first, then what helped, and of both what was met in most tasks. The same from several sessions is one lesson. */
export function rankLessons(learned: readonly ExtractedLearning[]): Lesson[] {
  const lessons = new Map<string, { lesson: Lesson; sources: Set<string>; isSaid: boolean }>();
  for (const learning of learned) {
    const statement = oneLine(statementOf(learning));
    const remedy = oneLine(remedyOf(learning));
    const key = `${statement}\n${remedy}`;
    const known = lessons.get(key) ?? {
      lesson: { statement, remedy, tasks: 0 },
      sources: new Set(),
      isSaid: learning.type === "strategy" || (learning.type === "convention" && !isHabit(learning)),
    };
    for (const source of learning.sourceLoops) known.sources.add(source);
    lessons.set(key, known);
  }
  return [...lessons.values()]
    .map(({ lesson, sources, isSaid }) => ({
      lesson: { ...lesson, tasks: sources.size },
      worth: isSaid ? 2 : lesson.remedy === "" ? 0 : 1,
    }))
    .sort((one, other) => other.worth - one.worth || other.lesson.tasks - one.lesson.tasks)
    .map(({ lesson }) => lesson);
}

/** On one line, in which a long problem leaves room for what helped. */
export function renderLesson({ statement, remedy, tasks }: Lesson, width: number): string {
  const count = tasks > 1 ? ` (${tasks} tasks)` : "";
  const room = width - displayWidth(count);
  if (remedy === "") return `${truncate(statement, room)}${count}`;
  const arrow = " → ";
  const kept = Math.min(displayWidth(remedy), Math.floor(room * remedyShare));
  const problem = truncate(statement, Math.max(room - arrow.length - kept, 1));
  return `${problem}${arrow}${truncate(remedy, room - displayWidth(problem) - arrow.length)}${count}`;
}
