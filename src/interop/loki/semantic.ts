import type { Learning } from "../../domain/knowledge/learning.js";
import { inverseRelations, type Link } from "../../domain/knowledge/link.js";
import { isObject } from "../../domain/shape.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import { unique } from "../../text/unique.js";
import type { ExportSource } from "../export-source.js";
import { RecordFields } from "../fields.js";
import type { WrittenCounts } from "../layout.js";
import { linkRecord, nearestRelation } from "../records.js";
import type { SourceFolder } from "../source-folder.js";
import type { TargetFolder } from "../target-folder.js";
import type { EpisodeFiles } from "./episodes.js";
import {
  foreignIdOf,
  type KnowledgeKind,
  learningFrom,
  openList,
  renderEntry,
  writeList,
} from "./learning-entry.js";
import { semanticFiles } from "./places.js";

/** The knowledge files, each with the possible names of its list. */
const knowledgeFiles: readonly { path: string; kind: KnowledgeKind; lists: readonly string[] }[] = [
  { path: semanticFiles.patterns, kind: "pattern", lists: ["patterns"] },
  {
    ...{ path: semanticFiles.antiPatterns, kind: "anti-pattern" },
    lists: ["anti_patterns", "anti-patterns", "antipatterns", "patterns"],
  },
  { path: semanticFiles.facts, kind: "fact", lists: ["facts"] },
];

/** Patterns, anti-patterns and facts with their links, then the links from a separate file. */
export function* readSemantic(source: SourceFolder, episodes: EpisodeFiles): Generator<ForeignFile> {
  for (const { path, kind, lists } of knowledgeFiles) {
    const document = openList(source, path, lists);
    if (document === undefined) continue;
    const surrounding = { kind, fallbackTime: source.findModified(path) ?? new Date(0).toISOString() };
    const records = document.list.flatMap((entry, index): ForeignRecord[] => {
      const place = `${source.place(path)}, ${document.name} ${index + 1}`;
      const id = foreignIdOf(entry);
      const record = learningFrom(entry, { ...surrounding, place });
      return [{ kind: "learning", id, record, original: entry }, ...linksIn(entry, { id, place, episodes })];
    });
    yield { file: path, records: [{ kind: "kept", id: path, original: document.rest }, ...records] };
  }
  yield* readLinks(source);
}

function* readLinks(source: SourceFolder): Generator<ForeignFile> {
  const path = semanticFiles.links;
  const document = openList(source, path, ["links"]);
  if (document === undefined) return;
  const records = document.list.map((entry, index): ForeignRecord => {
    const fields = new RecordFields(entry, `${source.place(path)}, ${document.name} ${index + 1}`);
    const [from, to] = [fields.text("from", "source"), fields.text("to", "target")];
    return { ...relationRecord({ from, to, word: fields.findText("relation") ?? "" }), original: entry };
  });
  yield { file: path, records: [{ kind: "kept", id: path, original: document.rest }, ...records] };
}

/** The links of an entry, and links to the tasks it was drawn from. */
function linksIn(
  entry: unknown,
  { id, place, episodes }: { id: string; place: string; episodes: EpisodeFiles },
): ForeignRecord[] {
  if (!isObject(entry)) return [];
  const fields = new RecordFields(entry, place);
  const links = fields
    .records("links")
    .map((link) => ({ from: id, to: link.text("to"), word: link.findText("relation") ?? "" }));
  const tasks = fields.texts("source_episodes").flatMap((episode) => episodes.taskOf.get(episode) ?? []);
  const derived = unique(tasks).map((to) => ({ from: id, to, word: "derived_from" }));
  return [...links, ...derived].map(relationRecord);
}

/** Links are identified by the resulting relation, as two words may mean the same. */
function relationRecord({ from, to, word }: { from: string; to: string; word: string }): ForeignRecord {
  return linkRecord({ from, to, word: nearestRelation(word) });
}

type Links = Map<string, { to: string; relation: string }[]>;

/** Writes learnings with their links to the file they came from, or that for their kind, and other links to a separate file. */
export async function writeSemantic(source: ExportSource, target: TargetFolder): Promise<WrittenCounts> {
  const learnings = await source.memory.learnings.list({ includesSuperseded: true });
  const all = await source.memory.links.list();
  const linked = namesOf(all);
  const own = all
    .filter(({ from, to, relation }) => !source.originalOf("link", `${from} ${relation} ${to}`))
    .map(({ from, to, relation }) => ({
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
    const heldBack = source.heldBack("learning").filter(({ file }) => file === path);
    entries.push(...heldBack.map(({ original }) => original));
    written += entries.length;
    writeList(source, target, path, lists, entries);
  }
  const others = own.filter(({ from }) => !isLearning.has(from));
  const kept = source.rows.filter((row) => isLinkRow(row) && isStillLinked(row, linked));
  const list = [...kept.map(({ original }) => original), ...others];
  writeList(source, target, semanticFiles.links, ["links"], list);
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

/** Entries imported from a file in its order, then the others of its kind. */
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
    // A version that was replaced is no longer valid.
    const isOver = learning.superseded_by !== undefined;
    if (rows.length === 0 && !isOver && (ownKind[learning.type] ?? "pattern") === kind)
      others.push({ row: undefined, learning });
  }
  known.sort((one, other) => (one.row?.place ?? 0) - (other.row?.place ?? 0));
  return [...known, ...others];
}

/** The entry's original links that still exist, and those added here. */
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

/** The names of all links, from either end, to check which imported ones still exist. */
function namesOf(links: readonly Link[]): Set<string> {
  const names = links.flatMap(({ from, to, relation }) => {
    const inverse = inverseRelations[relation];
    return [`${from} ${relation} ${to}`, ...(inverse === undefined ? [] : [`${to} ${inverse} ${from}`])];
  });
  return new Set(names);
}

/** Whether an imported link still exists, or never had a record at its other end. */
function isStillLinked({ recordId }: Pick<ForeignRow, "recordId">, linked: ReadonlySet<string>): boolean {
  if (recordId === undefined || linked.has(recordId)) return true;
  // Two records that are identical there become one here.
  const [from, , to] = recordId.split(" ");
  return from === to;
}
