import { hasAnyLabel, labelPattern } from "../../label-text.js";
import type { LexicalScope } from "../../lexical-index.js";
import { textArray } from "./array-text.js";
import type { Fragment } from "./holders-sql.js";
import type { IndexPart } from "./index-part.js";

/** The condition of `search_documents` for a scope, apart from its kind. */
export function allowedBy({ sources, labelGroups, since }: LexicalScope): Fragment {
  const labels = labelGroups.map((group) => `AND ${hasAnyLabel("document.labels", group)}`).join(" ");
  const from = since === undefined ? "" : "AND document.time >= ?";
  return {
    text: `(document.source = ANY (?::text[]) ${labels} ${from})`,
    values: [
      textArray(sources),
      ...labelGroups.flat().map(labelPattern),
      ...(since === undefined ? [] : [Math.ceil(since)]),
    ],
  };
}

/** The documents with some numbers, each looked up for itself: without statistics the planner would read them all. */
export function documentsAt({ version, kind }: IndexPart, numbers: Fragment): Fragment {
  return {
    text: `(SELECT DISTINCT asked.number AS at FROM (${numbers.text}) AS asked(number)) AS match CROSS JOIN LATERAL (
      SELECT number, id, source, labels, time, length FROM search_documents
      WHERE project = :project AND version = ? AND kind = ? AND number = match.at OFFSET 0
    ) AS document`,
    values: [...numbers.values, version, kind],
  };
}

/** The documents with some ids. */
export function documentsCalled({ version, kind }: IndexPart, ids: readonly string[]): Fragment {
  return {
    text: `(SELECT DISTINCT unnest(?::text[]) AS id) AS asked CROSS JOIN LATERAL (
      SELECT number, id, source, labels, time FROM search_documents
      WHERE project = :project AND version = ? AND kind = ? AND id = asked.id OFFSET 0
    ) AS document`,
    values: [textArray(ids), version, kind],
  };
}
