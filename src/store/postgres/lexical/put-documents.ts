import { labelText } from "../../label-text.js";
import type { SearchDocument } from "../../lexical-index.js";
import type { Sql } from "../../sql.js";
import { numberArray, textArray } from "./array-text.js";
import type { IndexPart } from "./index-part.js";
import { removeDocuments } from "./remove-documents.js";
import { type CountedDocument, countWordsOf } from "./words/counted-words.js";

/** Blocks of a word are filled up to this many documents, and then left as they are. */
const fullFrom = 64;
/** A row gets at most this many at once: a longer one would not fit into its page. */
const mostAtOnce = 128;
/** A statement for more would hold too much in memory. */
const documentsAtOnce = 500;

/**
 * Replaces documents in one round trip: nothing waits for an answer. The first statement holds the others of the same kind off until the end
 * of the transaction, so that numbers and blocks grow in order.
 */
export async function putDocuments(
  sql: Sql,
  part: IndexPart,
  documents: readonly SearchDocument[],
): Promise<void> {
  const last = new Map(documents.map((document) => [`${document.source} ${document.id}`, document]));
  const distinct = [...last.values()];
  for (let start = 0; start < distinct.length; start += documentsAtOnce)
    await putSome(sql, part, distinct.slice(start, start + documentsAtOnce));
}

async function putSome(sql: Sql, part: IndexPart, documents: readonly SearchDocument[]): Promise<void> {
  const counted = documents.map(countWordsOf);
  const words = counted.reduce((sum, { length }) => sum + length, 0);
  await Promise.all([
    addToCounts(sql, part, { documents: documents.length, words }),
    removeDocuments(sql, part, documents),
    insertDocuments(sql, part, documents, counted),
    insertWords(sql, part, documents, counted),
    insertPostings(sql, part, counted),
  ]);
}

function addToCounts(
  sql: Sql,
  { version, kind }: IndexPart,
  added: { documents: number; words: number },
): Promise<void> {
  return sql.write(
    `INSERT INTO search_counts AS known (project, version, kind, documents, words_ever, last_number)
     VALUES (:project, ?, ?, ?, ?, ?) ON CONFLICT (project, version, kind) DO UPDATE SET
       documents = known.documents + EXCLUDED.documents, words_ever = known.words_ever + EXCLUDED.words_ever,
       last_number = known.last_number + EXCLUDED.last_number`,
    ...[version, kind, added.documents, added.words, added.documents],
  );
}

/** The number before that of the first new document. */
const numberBefore = `(SELECT last_number - ?::integer FROM search_counts
   WHERE project = :project AND version = ? AND kind = ?)`;

function insertDocuments(
  sql: Sql,
  { version, kind }: IndexPart,
  documents: readonly SearchDocument[],
  counted: readonly CountedDocument[],
): Promise<void> {
  return sql.write(
    `INSERT INTO search_documents (project, version, kind, number, id, source, labels, time, length, distinct_words)
     SELECT :project::bigint, ?::integer, ?::text, ${numberBefore} + added.place::integer,
       added.id, added.source, added.labels, added.time, added.length, added.distinct_words
     FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::integer[], ?::integer[])
       WITH ORDINALITY AS added(id, source, labels, time, length, distinct_words, place)`,
    ...[version, kind, documents.length, version, kind],
    textArray(documents.map(({ id }) => id)),
    textArray(documents.map(({ source }) => source)),
    textArray(documents.map(({ labels }) => labelText(labels))),
    numberArray(documents.map(({ time }) => Math.trunc(time))),
    numberArray(counted.map(({ length }) => length)),
    numberArray(counted.map(({ counts }) => counts.size)),
  );
}

function insertWords(
  sql: Sql,
  { version, kind }: IndexPart,
  documents: readonly SearchDocument[],
  counted: readonly CountedDocument[],
): Promise<void> {
  return sql.write(
    `INSERT INTO search_words (project, version, kind, number, words, kept)
     SELECT :project::bigint, ?::integer, ?::text, ${numberBefore} + added.place::integer, added.words, nullif(added.kept, '')
     FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS added(words, kept, place)`,
    ...[version, kind, documents.length, version, kind],
    textArray(counted.map(({ lines }) => lines)),
    textArray(documents.map(({ kept = "" }) => kept)),
  );
}

/** New documents that hold a word: their places, from 1, once for each count. */
interface Addition {
  word: string;
  holders: number;
  places: number[];
  counts: number[];
  /** Whether the word's last block may take it; there is one such addition per word. */
  isFirst: boolean;
}

function insertPostings(
  sql: Sql,
  { version, kind }: IndexPart,
  counted: readonly CountedDocument[],
): Promise<void> {
  const additions = additionsOf(counted);
  return sql.write(
    `INSERT INTO search_postings AS known (project, version, kind, word, first_number, holders, numbers, counts)
     SELECT :project::bigint, ?::integer, ?::text, added.word,
       coalesce(open.first_number, before.number + (added.places::integer[])[1]), added.holders,
       ARRAY(SELECT before.number + place FROM unnest(added.places::integer[]) AS place), added.counts::smallint[]
     FROM (SELECT ${numberBefore} AS number) AS before
     CROSS JOIN unnest(?::text[], ?::integer[], ?::text[], ?::text[], ?::boolean[])
       AS added(word, holders, places, counts, is_first)
     LEFT JOIN LATERAL (
       SELECT last.first_number FROM (
         SELECT first_number, holders FROM search_postings
         WHERE project = :project AND version = ? AND kind = ? AND word = added.word
         ORDER BY first_number DESC LIMIT 1
       ) AS last WHERE last.holders < ${fullFrom} AND added.is_first
     ) AS open ON TRUE
     ON CONFLICT (project, word, version, kind, first_number) DO UPDATE SET
       holders = known.holders + EXCLUDED.holders, numbers = known.numbers || EXCLUDED.numbers,
       counts = known.counts || EXCLUDED.counts`,
    ...[version, kind, counted.length, version, kind],
    textArray(additions.map(({ word }) => word)),
    numberArray(additions.map(({ holders }) => holders)),
    textArray(additions.map(({ places }) => numberArray(places))),
    textArray(additions.map(({ counts }) => numberArray(counts))),
    `{${additions.map(({ isFirst }) => isFirst).join(",")}}`,
    ...[version, kind],
  );
}

function additionsOf(counted: readonly CountedDocument[]): Addition[] {
  const current = new Map<string, Addition>();
  const all: Addition[] = [];
  for (const [index, document] of counted.entries())
    for (const [word, counts] of document.counts) {
      let addition = current.get(word);
      if (addition === undefined || addition.holders >= mostAtOnce) {
        addition = { word, holders: 0, places: [], counts: [], isFirst: addition === undefined };
        current.set(word, addition);
        all.push(addition);
      }
      addition.holders += 1;
      for (const count of counts) {
        addition.places.push(index + 1);
        addition.counts.push(count);
      }
    }
  return all;
}
