import {
  isExtractedType,
  type Learning,
  type LearningStats,
  type LearningsDocument,
  type LearningType,
} from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { counted } from "../../text/counted.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import { checksumOf } from "./checksum.js";

/** The version of the exchange document; another first number means another format. */
export const documentVersion = "1.0.0";

/** The document that other tools read, and how many learnings are of types that they do not know and stay out of it. */
export function makeDocument(
  learnings: readonly Learning[],
  lastUpdated: string,
): { document: LearningsDocument; leftOut: number } {
  const known = learnings.filter(({ type }) => isExtractedType(type)).map(inPublishedOrder);
  return {
    document: {
      version: documentVersion,
      checksum: checksumOf(known),
      lastUpdated,
      learnings: known,
      stats: statsOf(known),
    },
    leftOut: learnings.length - known.length,
  };
}

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

const headings: Record<LearningType, string> = {
  strategy: "Proven Strategies",
  antipattern: "Anti-Patterns to Avoid",
  estimate: "Time/Iteration Estimates",
  convention: "Project Conventions",
  pattern: "Patterns",
  fact: "Facts",
};

/** For people: a section for each type, a line for each learning. */
export function renderMarkdown(learnings: readonly Learning[]): string {
  const sections = Object.entries(headings).flatMap(([type, heading]) => {
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
  return [`- ${asLine(statementOf(learning))} (${figures.join(", ")}) [${id}]`, ...examples].join("\n");
}

/** What was learned is data: it stays in its line. */
function asLine(text: string): string {
  return neutraliseLine(text, Number.POSITIVE_INFINITY);
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** A cell that begins so would be run as a formula by a spreadsheet. */
function csvField(cell: string): string {
  const text = /^[=+\-@\t]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Counts by type and task type. */
export function statsOf(learnings: readonly Learning[]): LearningStats {
  return {
    totalLearnings: learnings.length,
    byType: countBy(learnings, ({ type }) => type),
    byTaskType: countBy(learnings, ({ taskType }) => taskType),
  };
}

function countBy(
  learnings: readonly Learning[],
  keyOf: (learning: Learning) => string,
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const learning of learnings) counts.set(keyOf(learning), (counts.get(keyOf(learning)) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** The fields in the order in which they are published, because the checksum depends on it; others follow as they come. */
function inPublishedOrder(learning: Learning): Learning {
  const { id, type, taskType, content, confidence, sourceLoops, ...others } = learning;
  const { createdAt, updatedAt, useCount, successRate, ...extra } = others;
  return {
    ...{ id, type, taskType, content, confidence, sourceLoops },
    ...{ createdAt, updatedAt, useCount, successRate },
    ...extra,
  };
}
