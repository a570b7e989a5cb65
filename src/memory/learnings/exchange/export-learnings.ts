import { loadDocument } from "../../../semantic/exchange/exchange-learnings.js";
import { renderCsv, renderJson, renderMarkdown } from "../../../semantic/exchange/render-export.js";
import { findAltered } from "../../../semantic/records/checksum.js";
import { knowledgeStats, queryLearnings } from "../../../semantic/records/learning-records.js";
import type { SemanticContext } from "../../../semantic/semantic-context.js";

export type ExportFormat = "json" | "markdown" | "csv";

export interface ExportedLearnings {
  text: string;
  count: number;
  /** Types that the format does not support; in Markdown, superseded learnings. */
  leftOut: number;
  /** Altered outside Ralph, and left out for that. */
  altered: number;
}

export async function exportLearnings(
  context: SemanticContext,
  format: ExportFormat,
): Promise<ExportedLearnings> {
  if (format === "markdown") {
    const altered = await findAltered(context.store);
    const shown = (await queryLearnings(context, {})).filter(({ id }) => !altered.includes(id));
    const { totalSize } = await knowledgeStats(context);
    const leftOut = totalSize - shown.length - altered.length;
    return { text: renderMarkdown(shown), count: shown.length, leftOut, altered: altered.length };
  }
  const { document, leftOut, altered } = await loadDocument(context);
  const { learnings } = document;
  const text = format === "csv" ? renderCsv(learnings) : `${renderJson(document)}\n`;
  return { text, count: learnings.length, leftOut, altered: altered.length };
}
