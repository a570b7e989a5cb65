import type { Learning, LearningType } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { neutraliseOnOneLine } from "../../text/fence/fence.js";

export interface SummarisedKnowledge {
  strategies?: readonly Learning[];
  antipatterns?: readonly Learning[];
  estimates?: readonly Learning[];
  conventions?: readonly Learning[];
}

/** Learnings as Markdown for a prompt; empty when there are none. */
export function formatSummary(knowledge: SummarisedKnowledge): string {
  const { strategies = [], antipatterns = [], estimates = [], conventions = [] } = knowledge;
  const sections = [
    section(learningHeadings.strategy, strategies.map(strategyLine)),
    section(learningHeadings.antipattern, antipatterns.map(line)),
    section(learningHeadings.estimate, estimates.map(estimateLine)),
    section(learningHeadings.convention, conventions.map(conventionLines)),
  ].filter((text) => text !== "");
  return sections.length === 0 ? "" : ["## Knowledge Base (from previous loops)", ...sections].join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`## ${title}`, ...lines].join("\n");
}

function line(learning: Learning): string {
  return `- ${neutraliseOnOneLine(statementOf(learning))}`;
}

function strategyLine(learning: Learning): string {
  const share = learning.content.effectiveness ?? learning.successRate;
  return `${line(learning)} (effectiveness: ${Math.round(share * 100)}%)`;
}

function estimateLine({ content }: Learning): string {
  const iterations = content.totalIterations === undefined ? "?" : Math.round(content.totalIterations);
  const time =
    content.avgIterationTime === undefined
      ? ""
      : `, ~${Math.round(content.avgIterationTime / 1000)}s per iteration`;
  return `- Similar tasks: ~${iterations} iterations${time}`;
}

function conventionLines(learning: Learning): string {
  const examples = learning.content.examples ?? [];
  return examples.length === 0
    ? line(learning)
    : `${line(learning)}\n  Examples: ${examples.map(neutraliseOnOneLine).join(", ")}`;
}

/** Section headings wherever learnings are rendered as Markdown, in display order. */
export const learningHeadings: Readonly<Record<LearningType, string>> = {
  strategy: "Proven Strategies",
  antipattern: "Anti-Patterns to Avoid",
  estimate: "Time/Iteration Estimates",
  convention: "Project Conventions",
  pattern: "Patterns",
  fact: "Facts",
};
