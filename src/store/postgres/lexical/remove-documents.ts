import type { DocumentKey } from "../../lexical-index.js";
import type { Sql, SqlValue } from "../../sql.js";
import { textArray } from "./array-text.js";
import type { IndexPart } from "./index-part.js";

/** Takes documents out of the index, those that are in it. */
export async function removeDocuments(
  sql: Sql,
  { version, kind }: IndexPart,
  keys: readonly Omit<DocumentKey, "kind">[],
): Promise<void> {
  const known: SqlValue[] = [
    textArray(keys.map(({ id }) => id)),
    textArray(keys.map(({ source }) => source)),
    ...[version, kind],
  ];
  const inPart: SqlValue[] = [version, kind];
  const blocks = [...known, ...inPart, ...inPart];
  await Promise.all([
    sql.write(
      `UPDATE search_counts SET documents = documents - (SELECT count(*) FROM (${knownDocuments}) AS known)
       WHERE project = :project AND version = ? AND kind = ?`,
      ...[...known, ...inPart],
    ),
    sql.write(
      `DELETE FROM search_postings WHERE ${rowsAt}
         AND ctid = ANY (ARRAY(${blocksOfKnown})) AND numbers <@ ARRAY(SELECT number FROM (${knownDocuments}) AS known)`,
      ...[...inPart, ...blocks, ...known],
    ),
    sql.write(
      `UPDATE search_postings AS posting SET (holders, numbers, counts) = (
         SELECT count(DISTINCT entry.number), array_agg(entry.number ORDER BY entry.place),
           array_agg(entry.count ORDER BY entry.place)
         FROM unnest(posting.numbers, posting.counts) WITH ORDINALITY AS entry(number, count, place)
         WHERE entry.number <> ALL (ARRAY(SELECT number FROM (${knownDocuments}) AS known))
       )
       WHERE ${rowsAt} AND ctid = ANY (ARRAY(${blocksOfKnown}))`,
      ...[...known, ...inPart, ...blocks],
    ),
    sql.write(
      `DELETE FROM search_words WHERE ${rowsAt} AND ctid = ANY (ARRAY(
         SELECT text.row FROM (${knownDocuments}) AS known CROSS JOIN LATERAL (
           SELECT ctid AS row FROM search_words
           WHERE project = :project AND version = ? AND kind = ? AND number = known.number OFFSET 0
         ) AS text
       ))`,
      ...[...inPart, ...known, ...inPart],
    ),
    sql.write(
      `DELETE FROM search_documents WHERE ${rowsAt}
         AND ctid = ANY (ARRAY(SELECT row FROM (${knownDocuments}) AS known))`,
      ...[...inPart, ...known],
    ),
  ]);
}

/** Rows are changed by their place (`ctid`); the sums keep a planner without statistics from looking for them by version and kind. */
const rowsAt = "project = :project AND version + 0 = ? AND kind || '' = ?";

/** Those of the keys that are in the index. OFFSET 0 keeps each lookup one of its own. */
const knownDocuments = `SELECT document.row, document.number FROM unnest(?::text[], ?::text[]) AS key(id, source)
  CROSS JOIN LATERAL (
    SELECT ctid AS row, number FROM search_documents
    WHERE project = :project AND version = ? AND kind = ? AND id = key.id AND source = key.source OFFSET 0
  ) AS document`;

/** The blocks that hold them. */
const blocksOfKnown = `SELECT DISTINCT block.row FROM (${knownDocuments}) AS known
  CROSS JOIN LATERAL (
    SELECT words FROM search_words
    WHERE project = :project AND version = ? AND kind = ? AND number = known.number OFFSET 0
  ) AS text
  CROSS JOIN LATERAL (
    SELECT DISTINCT each AS word FROM unnest(string_to_array(translate(text.words, E'\\n', ' '), ' ')) AS each
    WHERE each <> ''
  ) AS said
  CROSS JOIN LATERAL (
    SELECT ctid AS row FROM search_postings
    WHERE project = :project AND version = ? AND kind = ? AND word = said.word AND first_number <= known.number
    ORDER BY first_number DESC LIMIT 1
  ) AS block`;
