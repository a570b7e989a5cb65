import type { LearningType } from "../domain/knowledge/learning.js";

/** Section headings wherever learnings are rendered as Markdown, in display order. */
export const learningHeadings: Readonly<Record<LearningType, string>> = {
  strategy: "Proven Strategies",
  antipattern: "Anti-Patterns to Avoid",
  estimate: "Time/Iteration Estimates",
  convention: "Project Conventions",
  pattern: "Patterns",
  fact: "Facts",
};
