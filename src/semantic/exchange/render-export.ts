import type { Learning, LearningsDocument } from "../../domain/knowledge/learning.js";
import { adviceOf } from "../../domain/knowledge/statement.js";
import { counted } from "../../text/counted.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import { learningHeadings } from "../retrieve/format-summary.js";

/** JSON as other tools write it: two spaces, no final newline. */
export function renderJson(document: LearningsDocument): string {
  return JSON.stringify(document, null, 2);
}

const columns = [
  "id",
  "type",
  "taskType",
  "confidence",
  "successRate",
  "useCount",
  "createdAt",
] as const satisfies readonly (keyof Learning)[];

export function renderCsv(learnings: readonly Learning[]): string {
  const rows = learnings.map((learning) => columns.map((column) => csvField(String(learning[column]))));
  return [columns, ...rows].map((row) => `${row.join(",")}\n`).join("");
}

/** One section per type, one line per learning. */
export function renderMarkdown(learnings: readonly Learning[]): string {
  const sections = Object.entries(learningHeadings).flatMap(([type, heading]) => {
    const entries = learnings.filter((learning) => learning.type === type).map(renderEntry);
    return entries.length === 0 ? [] : [`## ${heading}\n\n${entries.join("\n")}\n`];
  });
  return ["# Learnings\n", ...sections].join("\n");
}

function renderEntry(learning: Learning): string {
  const { id, taskType, confidence, successRate, useCount, sourceLoops, content } = learning;
  const figures = [
    asLine(taskType),
    `confidence ${percent(confidence)}`,
    ...(learning.type === "antipattern" ? [] : [`success ${percent(successRate)}`]),
    `used ${counted(useCount, "time")}`,
    ...(sourceLoops.length === 0 ? [] : [`from ${sourceLoops.map(asLine).join(", ")}`]),
  ];
  const examples = content.examples?.length ? [`  Examples: ${content.examples.map(asLine).join(", ")}`] : [];
  return [`- ${asLine(adviceOf(learning))} (${figures.join(", ")}) [${id}]`, ...examples].join("\n");
}

/** Learned text is data and must not break out of its line. */
function asLine(text: string): string {
  return neutraliseLine(text, Number.POSITIVE_INFINITY);
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Escapes cells that a spreadsheet would run as a formula. */
function csvField(cell: string): string {
  const text = /^[=+\-@\t]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
