import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Every set, and what its texts are stored as: notes where nothing is said. */
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
  { name: "gitbugs", folder: "gitbugs", corpus: "corpus.jsonl", queries: "queries.jsonl", as: "task" },
  { name: "swebench", folder: "swebench", corpus: "corpus.jsonl", queries: "queries.jsonl", as: "task" },
  {
    name: "reflexion",
    folder: "reflexion",
    corpus: "corpus.jsonl",
    queries: "queries.jsonl",
    as: "reflection",
    relevantIn: "cross_language",
  },
];

/** The documents of a set by scope, and its queries; a query searches its own scope and never itself. */
export function loadSet(data, { folder, corpus, queries, groupBy, relevantIn }) {
  const read = (name) => readLines(data, folder, name);
  const scopes = new Map();
  for (const { id, text, meta } of read(corpus)) {
    const scope = scopeOf(meta);
    if (!scopes.has(scope)) scopes.set(scope, []);
    scopes.get(scope).push({
      id,
      text,
      tags: meta.tags ?? [],
      type: meta.type,
      date: meta.created ?? meta.date,
      files: meta.files_changed ?? meta.files ?? [],
    });
  }
  return {
    scopes,
    queries: read(queries)
      .map((query) => ({ ...query, relevant: relevantIn ? (query.meta[relevantIn] ?? []) : query.relevant }))
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

/** Every document of a set as a question, and which others it is related to: none for most. */
export function loadObjectives(data, { folder, corpus, queries }) {
  const asked = new Map(readLines(data, folder, queries).map((query) => [query.id, query]));
  return readLines(data, folder, corpus).map(({ id, text, meta }) => ({
    id,
    text: asked.get(id)?.text ?? meta.title ?? text,
    scope: scopeOf(meta),
    related: asked.get(id)?.relevant ?? [],
  }));
}

function readLines(data, folder, name) {
  return readFileSync(join(data, folder, name), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function scopeOf(meta) {
  return meta.conv ?? meta.repo ?? meta.project ?? meta.scope ?? "";
}
