import { loadDocument } from "../../../semantic/exchange/exchange-learnings.js";
import { renderCsv, renderJson, renderMarkdown } from "../../../semantic/exchange/render-export.js";
import { knowledgeStats, queryLearnings } from "../../../semantic/records/learning-records.js";
import type { SemanticContext } from "../../../semantic/semantic-context.js";

export type ExportFormat = "json" | "markdown" | "csv";

export interface ExportedLearnings {
  text: string;
  count: number;
  /** Types that the format does not support; in Markdown, superseded learnings. */
  leftOut: number;
}

export async function exportLearnings(
  context: SemanticContext,
  format: ExportFormat,
): Promise<ExportedLearnings> {
  if (format === "markdown") {
    const shown = await queryLearnings(context, {});
    const { totalSize } = await knowledgeStats(context);
    return { text: renderMarkdown(shown), count: shown.length, leftOut: totalSize - shown.length };
  }
  const { document, leftOut } = await loadDocument(context);
  const { learnings } = document;
  const text = format === "csv" ? renderCsv(learnings) : `${renderJson(document)}\n`;
  return { text, count: learnings.length, leftOut };
}
