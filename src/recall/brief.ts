import { countTokens } from "../text/count-tokens.js";
import { counted } from "../text/counted.js";
import { fenceAsData } from "../text/fence.js";
import { bestFirst } from "./best-first.js";
import { type BudgetSection, fitIntoBudget } from "./budget.js";
import {
  briefSections,
  type Candidate,
  type SectionName,
  sectionNames,
  type Tier,
  tierOf,
  tierWeights,
} from "./candidate.js";

export interface BriefLimits {
  /** Of the whole brief; 0 is unlimited. */
  budgetTokens: number;
  /** Of single sections; 0 is unlimited. */
  sectionTokens?: Partial<Record<SectionName, number>>;
}

/** A brief for a prompt, and what is in it. */
export interface ComposedBrief {
  /** Empty when nothing fits or nothing is known. */
  text: string;
  tokens: number;
  /** In the order in which they stand. */
  shown: Candidate[];
  leftOut: number;
}

const introduction = "What is remembered from earlier work on this project.";

/** Puts the best of each section into a brief, whole or not at all, so that it stays within its budget. */
export function composeBrief(candidates: readonly Candidate[], limits: BriefLimits): ComposedBrief {
  const budgetTokens = limits.budgetTokens || Number.POSITIVE_INFINITY;
  const sections = sectionNames.map((name) =>
    limited(ofSection(candidates, name), limits.sectionTokens?.[name]),
  );
  const frameTokens = countTokens(fenceAsData(introduction, leftOutLine(candidates.length)));
  let room = budgetTokens - frameTokens;
  // Words can count for more beside each other than alone; a round with less room sets that right.
  for (;;) {
    const chosen = fitIntoBudget(toBudget(sections), room).flat();
    const text = render(chosen, candidates.length - chosen.length);
    const tokens = countTokens(text);
    if (tokens <= budgetTokens || chosen.length === 0)
      return chosen.length === 0
        ? { text: "", tokens: 0, shown: [], leftOut: candidates.length }
        : { text, tokens, shown: chosen, leftOut: candidates.length - chosen.length };
    room -= Math.max(1, tokens - budgetTokens);
  }
}

/** In their given order for what comes by time, best first otherwise. */
function ofSection(candidates: readonly Candidate[], name: SectionName): Candidate[] {
  const own = candidates.filter(({ section }) => section === name);
  return name === "reflections" ? own : bestFirst(own);
}

function limited(entries: readonly Candidate[], maxTokens: number | undefined): Candidate[] {
  if (!maxTokens) return [...entries];
  return fitIntoBudget([{ entries, headingTokens: 0, share: 1 }], maxTokens).flat();
}

function toBudget(sections: readonly (readonly Candidate[])[]): BudgetSection<Candidate>[] {
  const filled = sections.flatMap(([first]) => (first === undefined ? [] : [tierOf(first)]));
  const shareOf = (tier: Tier) =>
    tierWeights[tier] / Math.max(1, filled.filter((each) => each === tier).length);
  return sections.map((entries, index) => {
    const { title, tier } = briefSections[sectionNames[index] ?? "notes"];
    return { entries, headingTokens: countTokens(`\n${heading(title)}\n`), share: shareOf(tier) };
  });
}

function render(chosen: readonly Candidate[], leftOut: number): string {
  const parts = sectionNames.flatMap((name) => {
    const own = chosen.filter(({ section }) => section === name);
    return own.length === 0
      ? []
      : [[heading(briefSections[name].title), ...own.map(({ text }) => text)].join("\n")];
  });
  return `${fenceAsData(introduction, [...parts, ...(leftOut > 0 ? [leftOutLine(leftOut)] : [])].join("\n\n"))}\n`;
}

function heading(title: string): string {
  return `## ${title}`;
}

function leftOutLine(count: number): string {
  return `(${counted(count, "more record")} left out)`;
}
