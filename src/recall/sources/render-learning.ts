import type { Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { briefly } from "../../text/briefly.js";
import { clipAtWord } from "../../text/clip-at-word.js";
import { counted } from "../../text/counted.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import { shownLength } from "../weights.js";

/** What a learning says: a problem with its remedy, or a statement. */
export function adviceOf(learning: Learning): string {
  const { prevention } = learning.content;
  const statement = statementOf(learning);
  if (typeof prevention !== "string") return statement;
  // A long problem must not hide its remedy.
  return `${clipAtWord(briefly(statement), shownLength.problem)} → ${prevention}`;
}

export function lineOf(
  learning: Learning,
  { isStale, contradicts }: { isStale: boolean; contradicts: readonly string[] },
): string {
  const { examples } = learning.content;
  const shown =
    learning.type === "convention" && examples?.length ? ` (as in ${examples.slice(0, 2).join(", ")})` : "";
  const remarks = [
    ...(learning.sourceLoops.length > 1 ? [counted(learning.sourceLoops.length, "task")] : []),
    ...(isStale ? ["its files have changed a lot since: check it"] : []),
    ...(contradicts.length > 0 ? [`contradicts ${contradicts.join(", ")}: decide which holds`] : []),
  ];
  const line = neutraliseLine(`${adviceOf(learning)}${shown}`, shownLength.learning);
  return `- [${learning.id}] ${line}${remarks.length === 0 ? "" : ` (${remarks.join("; ")})`}`;
}
