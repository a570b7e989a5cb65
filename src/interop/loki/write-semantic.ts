import type { Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { isObject } from "../../domain/shape.js";
import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import { nearestRelation } from "../building/nearest-relation.js";
import { isStillLinked, listLinkNames, listOwnLinks } from "../building/own-records.js";
import { defined } from "../defined.js";
import { type ExportSource, renderBack } from "../export-source.js";
import type { WrittenCounts } from "../layout.js";
import type { TargetFolder } from "../target-folder.js";
import { type KnowledgeKind, learningFrom } from "./learning-of.js";
import { semanticFiles, style } from "./places.js";
import { knowledgeFiles } from "./read-semantic.js";

type Fields = Record<string, unknown>;
type Links = Map<string, { to: string; relation: string }[]>;

/** Learnings in the file that they came from, or that is for their kind, with their links; other links in a file of their own. */
export async function writeSemantic(source: ExportSource, target: TargetFolder): Promise<WrittenCounts> {
  const learnings = await source.memory.learnings.list({ includesSuperseded: true });
  const linked = await listLinkNames(source);
  const own = (await listOwnLinks(source)).map(({ from, to, relation }) => ({
    ...{ from: source.foreignId(from), to: source.foreignId(to), relation },
  }));
  const isLearning = new Set(learnings.map(({ id }) => source.foreignId(id, "learning")));
  const fresh: Links = new Map();
  for (const { from, to, relation } of own)
    if (isLearning.has(from)) fresh.set(from, [...(fresh.get(from) ?? []), { to, relation }]);
  const rowOfLink = new Map(
    source.rows.flatMap((row) => (row.kind === "link" ? [[row.foreignId, row] as const] : [])),
  );
  let written = 0;
  for (const { path, kind, lists } of knowledgeFiles) {
    const entries = entriesOf(source, learnings, { path, kind }).map(({ row, learning }) =>
      withLinks(renderEntry(row, learning, kind), { rowOfLink, linked, fresh, row }),
    );
    entries.push(...heldBackIn(source, path));
    written += entries.length;
    writeList(source, target, { path, name: lists[0] ?? "", list: entries });
  }
  const others = own.filter(({ from }) => !isLearning.has(from));
  const kept = source.rows.filter((row) => isLinkRow(row) && isStillLinked(row, linked));
  const list = [...kept.map(({ original }) => original), ...others];
  writeList(source, target, { path: semanticFiles.links, name: "links", list });
  return { learning: written, link: list.length };
}

const ownKind: Partial<Record<Learning["type"], KnowledgeKind>> = {
  antipattern: "anti-pattern",
  fact: "fact",
};

interface Entry {
  row: ForeignRow | undefined;
  learning: Learning;
}

/** Those that came in with a file in its order, then the others of its kind. */
function entriesOf(
  source: ExportSource,
  learnings: readonly Learning[],
  { path, kind }: { path: string; kind: KnowledgeKind },
): Entry[] {
  const known: Entry[] = [];
  const others: Entry[] = [];
  for (const learning of learnings) {
    const rows = source.originalsOf("learning", learning.id);
    known.push(...rows.filter(({ file }) => file === path).map((row) => ({ row, learning })));
    // What lost against another version is over.
    const isOver = learning.superseded_by !== undefined;
    if (rows.length === 0 && !isOver && (ownKind[learning.type] ?? "pattern") === kind)
      others.push({ row: undefined, learning });
  }
  known.sort((one, other) => (one.row?.place ?? 0) - (other.row?.place ?? 0));
  return [...known, ...others];
}

export function heldBackIn(source: ExportSource, path: string): unknown[] {
  return source.heldBack("learning").flatMap(({ file, original }) => (file === path ? [original] : []));
}

export function renderEntry(row: ForeignRow | undefined, learning: Learning, kind: KnowledgeKind): unknown {
  const isText = typeof row?.original === "string";
  const entry = renderBack(isText ? { ...row, original: { description: row.original } } : row, learning, {
    read: (original) =>
      learningFrom(original, { kind, place: row?.file ?? "", fallbackTime: learning.createdAt }),
    render: (each) => renderLearning(each, row?.foreignId ?? each.id),
  }) as Fields;
  return isText && Object.keys(entry).length === 1 ? entry.description : entry;
}

/** The published fields, then what another Ralph needs to take it for the same learning. */
function renderLearning(learning: Learning, id: string): Fields {
  const { type, content, conditions = [], source_episodes: episodes = [], category } = learning;
  const { what_fails, why, prevention } = content;
  const statement = statementOf(learning);
  const told =
    type === "antipattern"
      ? { what_fails: what_fails ?? statement, ...defined({ why, prevention }) }
      : type === "fact"
        ? { fact: statement }
        : {};
  return {
    id,
    ...told,
    ...(type !== "fact" && { pattern: statement }),
    ...defined({ category }),
    conditions,
    ...defined({
      correct_approach: learning.correct_approach,
      incorrect_approach: learning.incorrect_approach,
    }),
    confidence: learning.confidence,
    source_episodes: episodes,
    usage_count: learning.useCount,
    ...defined({ last_used: learning.last_used }),
    created_at: learning.createdAt,
    ...{ type, taskType: learning.taskType, content },
    ...{
      sourceLoops: learning.sourceLoops,
      successRate: learning.successRate,
      updatedAt: learning.updatedAt,
    },
  };
}

/** The links that an entry came with and that are still there, and those that were added here. */
function withLinks(
  entry: unknown,
  {
    rowOfLink,
    linked,
    fresh,
    row,
  }: {
    rowOfLink: ReadonlyMap<string, ForeignRow>;
    linked: ReadonlySet<string>;
    fresh: Links;
    row: ForeignRow | undefined;
  },
): unknown {
  if (!isObject(entry)) return entry;
  const from = row?.foreignId ?? String(entry.id);
  const before = Array.isArray(entry.links) ? entry.links : [];
  const still = before.filter((link) => {
    const { to, relation } = Object(link) as { to?: string; relation?: string };
    const known = rowOfLink.get(`${from} ${nearestRelation(relation ?? "")} ${to}`);
    return known === undefined || isStillLinked(known, linked);
  });
  const added = fresh.get(from) ?? [];
  if (still.length === before.length && added.length === 0) return entry;
  return { ...entry, links: [...still, ...added] };
}

function isLinkRow({ kind, original }: ForeignRow): boolean {
  return kind === "link" && original !== undefined && original !== null;
}

/** A list in the document that it came in; none is made for an empty one. */
export function writeList(
  source: ExportSource,
  target: TargetFolder,
  { path, name, list }: { path: string; name: string; list: readonly unknown[] },
): void {
  const row = source.rows.find(({ kind, foreignId }) => kind === "kept" && foreignId === path);
  if (row === undefined) {
    if (list.length > 0) target.json(path, { version: "1.1.0", [name]: list }, style);
  } else if (isObject(row.original)) {
    const own = Object.keys(row.original).find((each) => {
      const value = (row.original as Fields)[each];
      return Array.isArray(value) && value.length === 0 && knownLists.has(each);
    });
    target.json(path, { ...row.original, [own ?? name]: list }, style);
  } else target.json(path, list, style);
}

const knownLists = new Set([...knowledgeFiles.flatMap(({ lists }) => lists), "links", "learnings"]);
