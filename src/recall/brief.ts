import { countTokens } from "../text/count-tokens.js";
import { counted } from "../text/counted.js";
import { fenceAsData } from "../text/fence.js";
import { bestFirst } from "./best-first.js";
import { type BudgetEntry, type BudgetSection, fitIntoBudget } from "./budget.js";
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
  const sections = sectionNames.map((name) => ofSection(candidates, name));
  return composeAll(sections, limits) ?? composeBest(sections, limits);
}

/** Everything, where that is within the smallest of the limits: one count of the whole text shows it. */
function composeAll(sections: readonly Candidate[][], limits: BriefLimits): ComposedBrief | undefined {
  const all = sections.flat();
  if (all.length === 0) return nothing(0);
  const text = render(all, 0);
  const tokens = countTokens(text);
  const smallest = [limits.budgetTokens, ...Object.values(limits.sectionTokens ?? {})].filter(
    (limit) => limit > 0,
  );
  if (smallest.some((limit) => tokens > limit)) return undefined;
  return { text, tokens, shown: all, leftOut: 0 };
}

function composeBest(all: readonly Candidate[][], limits: BriefLimits): ComposedBrief {
  const budgetTokens = limits.budgetTokens || Number.POSITIVE_INFINITY;
  const total = all.flat().length;
  const sections = all.map((entries, index) =>
    limited(entries.map(toEntry), limits.sectionTokens?.[sectionNames[index] ?? "notes"]),
  );
  const frameTokens = countTokens(fenceAsData(introduction, leftOutLine(total)));
  let room = budgetTokens - frameTokens;
  // Words can count for more beside each other than alone; a round with less room sets that right.
  for (;;) {
    const chosen = fitIntoBudget(toBudget(sections), room)
      .flat()
      .map(({ candidate }) => candidate);
    if (chosen.length === 0) return nothing(total);
    const leftOut = total - chosen.length;
    const text = render(chosen, leftOut);
    const tokens = countTokens(text);
    if (tokens <= budgetTokens) return { text, tokens, shown: chosen, leftOut };
    room -= tokens - budgetTokens;
  }
}

function nothing(leftOut: number): ComposedBrief {
  return { text: "", tokens: 0, shown: [], leftOut };
}

interface Entry extends BudgetEntry {
  candidate: Candidate;
}

function toEntry(candidate: Candidate): Entry {
  return { candidate, tokens: countTokens(`${candidate.text}\n`) };
}

/** In their given order for what comes by time, best first otherwise. */
function ofSection(candidates: readonly Candidate[], name: SectionName): Candidate[] {
  const own = candidates.filter(({ section }) => section === name);
  return name === "reflections" ? own : bestFirst(own);
}

function limited(entries: readonly Entry[], maxTokens: number | undefined): Entry[] {
  if (!maxTokens) return [...entries];
  return fitIntoBudget([{ entries, headingTokens: 0, share: 1 }], maxTokens).flat();
}

function toBudget(sections: readonly (readonly Entry[])[]): BudgetSection<Entry>[] {
  const filled = sections.flatMap(([first]) => (first === undefined ? [] : [tierOf(first.candidate)]));
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
