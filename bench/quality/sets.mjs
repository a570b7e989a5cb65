import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The sets whose texts are stored as notes. */
export const knownSets = [
  { name: "notes", folder: "notes", corpus: "corpus.jsonl", queries: "queries.jsonl", groupBy: "kind" },
  { name: "locomo", folder: "locomo", corpus: "corpus.jsonl", queries: "queries.jsonl" },
  {
    name: "locomo-sessions",
    folder: "locomo",
    corpus: "corpus_sessions.jsonl",
    queries: "queries_sessions.jsonl",
  },
  {
    name: "factconsolidation",
    folder: "factconsolidation",
    corpus: "corpus.jsonl",
    queries: "queries.jsonl",
  },
];

/** The documents of a set by scope, and its queries; a query searches its own scope and never itself. */
export function loadSet(data, { folder, corpus, queries, groupBy }) {
  const read = (name) =>
    readFileSync(join(data, folder, name), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const scopes = new Map();
  for (const { id, text, meta } of read(corpus)) {
    const scope = scopeOf(meta);
    if (!scopes.has(scope)) scopes.set(scope, []);
    scopes
      .get(scope)
      .push({ id, text, tags: meta.tags ?? [], type: meta.type, date: meta.created ?? meta.date });
  }
  return {
    scopes,
    queries: read(queries)
      .filter(({ relevant }) => relevant.length > 0)
      .map(({ text, relevant, meta }) => ({
        text,
        relevant,
        scope: scopeOf(meta),
        exclude: meta.exclude ?? [],
        stale: meta.stale ?? [],
        group: groupBy && meta[groupBy],
      })),
  };
}

function scopeOf(meta) {
  return meta.conv ?? meta.project ?? meta.scope ?? "";
}
