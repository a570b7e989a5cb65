import { isObject } from "../../domain/shape.js";
import type { ForeignFile, ForeignLink, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { nearestRelation } from "../building/nearest-relation.js";
import { RecordFields, unusable } from "../record-fields.js";
import type { SourceFolder } from "../source-folder.js";
import { foreignIdOf, type KnowledgeKind, learningFrom } from "./learning-of.js";
import { semanticFiles } from "./places.js";
import type { EpisodeFiles } from "./read-episodes.js";

/** Each file of knowledge, with the names that its list may have. */
export const knowledgeFiles: readonly { path: string; kind: KnowledgeKind; lists: readonly string[] }[] = [
  { path: semanticFiles.patterns, kind: "pattern", lists: ["patterns"] },
  {
    ...{ path: semanticFiles.antiPatterns, kind: "anti-pattern" },
    lists: ["anti_patterns", "anti-patterns", "antipatterns", "patterns"],
  },
  { path: semanticFiles.facts, kind: "fact", lists: ["facts"] },
];

/** Patterns, anti-patterns and facts, with the links that stand in them; then the links of a file of their own. */
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
    yield { file: path, records: [{ kind: "kept", id: path, original: document.rest }, ...unlike(records)] };
  }
  yield* readLinks(source);
}

function* readLinks(source: SourceFolder): Generator<ForeignFile> {
  const path = semanticFiles.links;
  const document = openList(source, path, ["links"]);
  if (document === undefined) return;
  const records = document.list.map((entry, index): ForeignRecord => {
    const fields = new RecordFields(entry, `${source.place(path)}, ${document.name} ${index + 1}`);
    const from = fields.findText("from") ?? fields.text("source");
    const to = fields.findText("to") ?? fields.text("target");
    return { ...linkRecord({ from, to, word: fields.findText("relation") ?? "" }), original: entry };
  });
  yield { file: path, records: [{ kind: "kept", id: path, original: document.rest }, ...unlike(records)] };
}

/** A list with what stands around it; the list itself may be all there is. */
export interface ListDocument {
  name: string;
  list: unknown[];
  /** Undefined if nothing stands around it. */
  rest: Record<string, unknown> | null;
}

export function openList(
  source: SourceFolder,
  path: string,
  names: readonly string[],
): ListDocument | undefined {
  const value = source.findJson(path);
  if (value === undefined) return undefined;
  const name = names.find((each) => isObject(value) && Array.isArray(value[each])) ?? names[0] ?? "";
  if (Array.isArray(value)) return { name, list: value, rest: null };
  const list = isObject(value) ? value[name] : undefined;
  if (!isObject(value) || !Array.isArray(list)) throw unusable(source.place(path), `has no list "${name}"`);
  // The list keeps its place among the other fields.
  return { name, list, rest: { ...value, [name]: [] } };
}

/** The links of an entry, and the tasks that it was drawn from. */
function linksIn(
  entry: unknown,
  { id, place, episodes }: { id: string; place: string; episodes: EpisodeFiles },
): ForeignRecord[] {
  if (!isObject(entry)) return [];
  const fields = new RecordFields(entry, place);
  const told = fields.records("links").map((link) => ({
    ...{ from: id, to: link.text("to"), word: link.findText("relation") ?? "" },
  }));
  const sources = fields.texts("source_episodes").flatMap((episode) => episodes.taskOf.get(episode) ?? []);
  const derived = [...new Set(sources)].map((to) => ({ from: id, to, word: "derived_from" }));
  return [...told, ...derived].map(linkRecord);
}

function linkRecord({ from, to, word }: { from: string; to: string; word: string }) {
  const relation = nearestRelation(word);
  const record: ForeignLink = { from, to, relation };
  return { kind: "link" as const, id: linkId(record), record };
}

export function linkId({ from, to, relation }: ForeignLink): string {
  return `${from} ${relation} ${to}`;
}

/** Without those that say again what another one says. */
function unlike(records: readonly ForeignRecord[]): ForeignRecord[] {
  const seen = new Set<string>();
  return records.map((record) => {
    let { id } = record;
    for (let count = 2; seen.has(`${record.kind} ${id}`); count += 1) id = `${record.id} (${count})`;
    seen.add(`${record.kind} ${id}`);
    return { ...record, id };
  });
}
