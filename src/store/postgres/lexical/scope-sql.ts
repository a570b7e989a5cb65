import { hasAnyLabel, labelPattern } from "../../label-text.js";
import type { LexicalScope } from "../../lexical-index.js";
import { textArray } from "./array-text.js";
import type { Fragment } from "./holders-sql.js";

/** The condition of `search_documents` for a scope, apart from its kind. */
export function allowedBy({ sources, labelGroups, since }: LexicalScope): Fragment {
  const labels = labelGroups.map((group) => `AND ${hasAnyLabel("labels", group)}`).join(" ");
  const from = since === undefined ? "" : "AND time >= ?";
  return {
    text: `(source = ANY (?::text[]) ${labels} ${from})`,
    values: [
      textArray(sources),
      ...labelGroups.flat().map(labelPattern),
      ...(since === undefined ? [] : [Math.ceil(since)]),
    ],
  };
}
