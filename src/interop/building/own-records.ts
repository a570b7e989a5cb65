import { inverseRelations } from "../../domain/knowledge/link.js";
import { adviceOf } from "../../domain/knowledge/statement.js";
import { toldByTask } from "../../episodic/history/told-by-task.js";
import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import type { ExportSource } from "../export-source.js";

/** A record that did not come from the layout it is written to, in words. */
export interface OwnRecord {
  id: string;
  kind: "note" | "learning" | "task";
  /** Such as `decision`, `antipattern` or `completed`. */
  type: string;
  statements: string[];
  tags: readonly string[];
  created: string;
}

/** Notes, learnings and tasks of this memory that the layout does not know yet. */
export async function listOwnRecords(source: ExportSource): Promise<OwnRecord[]> {
  const { memory } = source;
  const isNew = ({ kind, id }: OwnRecord) => source.originalOf(kind, id) === undefined;
  const notes = (await memory.notes.list()).map(
    ({ id, type, content, tags, created }): OwnRecord => ({
      ...{ id, kind: "note", type, statements: [content], tags, created },
    }),
  );
  const learnings = (await memory.learnings.list()).map((learning): OwnRecord => {
    const { id, type, category, createdAt } = learning;
    const tags = category === undefined ? [] : [category];
    return { id, kind: "learning", type, statements: [adviceOf(learning)], tags, created: createdAt };
  });
  const tasks: OwnRecord[] = [];
  for (const { id, tags, status, created } of await memory.tasks.list({ includesArchived: true })) {
    const statements = toldByTask(await memory.tasks.history(id, { isFull: false }));
    tasks.push({ ...{ id, kind: "task", type: status, statements, tags, created } });
  }
  return [...notes.toReversed(), ...learnings, ...tasks.toReversed()].filter(isNew);
}

/** Links between records, but for those that came from the layout. */
export async function listOwnLinks(
  source: ExportSource,
): Promise<{ from: string; to: string; relation: string }[]> {
  const links = await source.memory.links.list();
  return links.filter(
    ({ from, to, relation }) => source.originalOf("link", `${from} ${relation} ${to}`) === undefined,
  );
}

/** The names of all links, from either of their ends: whether what came from the layout is still there. */
export async function listLinkNames({ memory }: ExportSource): Promise<Set<string>> {
  const names = (await memory.links.list()).flatMap(({ from, to, relation }) => {
    const inverse = inverseRelations[relation];
    return [`${from} ${relation} ${to}`, ...(inverse === undefined ? [] : [`${to} ${inverse} ${from}`])];
  });
  return new Set(names);
}

/** Whether a link of the layout is still there, or never had a record at its other end. */
export function isStillLinked(
  { recordId }: Pick<ForeignRow, "recordId">,
  linked: ReadonlySet<string>,
): boolean {
  return recordId === undefined || linked.has(recordId) || isToItself(recordId);
}

/** Two records there that say the same are one here. */
function isToItself(recordId: string): boolean {
  const [from, , to] = recordId.split(" ");
  return from === to;
}
