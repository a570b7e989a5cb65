import { RalphError } from "../../../domain/ralph-error.js";
import type { Sql } from "../../sql.js";
import type { IndexPart } from "./index-part.js";

/** Throws `index-damaged` unless all tables of the index tell the same. */
export async function verifyPart(sql: Sql, { version, kind }: IndexPart): Promise<void> {
  const inPart = "project = :project AND version = ? AND kind = ?";
  const row = await sql.get<{ isSound: number }>(
    `SELECT (
       coalesce(counted.documents, 0) = listed.documents AND listed.documents = said.documents
       AND listed.holders = held.holders
     )::integer AS "isSound"
     FROM (SELECT count(*) AS documents, coalesce(sum(distinct_words), 0) AS holders
           FROM search_documents WHERE ${inPart}) AS listed
     CROSS JOIN (SELECT coalesce(sum(holders), 0) AS holders FROM search_postings WHERE ${inPart}) AS held
     CROSS JOIN (SELECT count(*) AS documents FROM search_words WHERE ${inPart}) AS said
     CROSS JOIN (SELECT sum(documents) AS documents FROM search_counts WHERE ${inPart}) AS counted`,
    ...Array.from({ length: 4 }, () => [version, kind]).flat(),
  );
  if (row?.isSound !== 1)
    throw new RalphError("index-damaged", `The search index of each ${kind} is incomplete`, {
      hint: 'run "ralph index rebuild"',
    });
}
