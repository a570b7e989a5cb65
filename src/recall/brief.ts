import { counted } from "../text/counted.js";
import { fenceAsData } from "../text/fence/fence.js";
import { type BudgetEntry, type BudgetSection, fitIntoBudget } from "../text/tokens/budget.js";
import { countTokens } from "../text/tokens/count-tokens.js";
import {
  briefSections,
  type Candidate,
  estimateKind,
  type SectionName,
  sectionNames,
  type Tier,
  tierOf,
} from "./candidate.js";
import { best, tierWeights } from "./weights.js";

export interface BriefLimits {
  /** For the whole brief; 0 is unlimited. */
  budgetTokens: number;
  /** For single sections; 0 is unlimited. */
  sectionTokens?: Partial<Record<SectionName, number>>;
  /** Some agents cut what is longer. */
  maxCharacters?: number | undefined;
}

/** A brief for a prompt, and its contents. */
export interface ComposedBrief {
  /** Empty if nothing was found or nothing fits. */
  text: string;
  tokens: number;
  /** In brief order. */
  shown: Candidate[];
  leftOut: number;
}

const introduction = "Remembered from this project.";

/** Fills a brief with the best of each section. Entries are never cut: one that does not fit is left out. */
export function composeBrief(candidates: readonly Candidate[], limits: BriefLimits): ComposedBrief {
  const brief = composeInTokens(candidates, limits);
  const { maxCharacters = Number.POSITIVE_INFINITY } = limits;
  if (brief.text.length <= maxCharacters) return brief;
  const budgetTokens = Math.floor((brief.tokens * maxCharacters) / brief.text.length / 1.2);
  return composeInTokens(candidates, { ...limits, budgetTokens });
}

function composeInTokens(candidates: readonly Candidate[], limits: BriefLimits): ComposedBrief {
  if (candidates.length === 0) return nothing(0);
  const sections = toBudget(
    sectionNames.map((name) => {
      const entries = ofSection(candidates, name).map(toEntry);
      return limited(entries, limits.sectionTokens?.[name]);
    }),
  );
  const room = (limits.budgetTokens || Number.POSITIVE_INFINITY) - countTokens(fenceAsData(introduction, ""));
  const all = fitIntoBudget(sections, room);
  if (all.flat().length === candidates.length) return composed(sections, all, 0);
  const leftOutTokens = countTokens(`\n${leftOutLine(candidates.length)}\n`);
  const chosen = fitIntoBudget(sections, room - leftOutTokens);
  return composed(sections, chosen, candidates.length - chosen.flat().length);
}

/** Token counts of lines add up, so the brief need not be counted as a whole. */
function composed(
  sections: readonly BudgetSection<Entry>[],
  chosen: readonly (readonly Entry[])[],
  leftOut: number,
): ComposedBrief {
  const shown = chosen.flat().map(({ candidate }) => candidate);
  if (shown.length === 0) return nothing(leftOut);
  const parts = chosen.flatMap((entries, index) =>
    entries.length === 0
      ? []
      : [[sections[index]?.headingTokens ?? 0, ...entries.map(({ tokens }) => tokens)]],
  );
  const remark = leftOut > 0 ? leftOutLine(leftOut) : "";
  const frameTokens = countTokens(fenceAsData(introduction, remark));
  return {
    text: render(shown, remark),
    tokens: parts.flat().reduce((sum, tokens) => sum + tokens, frameTokens),
    shown,
    leftOut,
  };
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

/** Reflections keep their order; others are sorted best first. */
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
    const headingTokens = entries.length === 0 ? 0 : countTokens(`\n${heading(title)}\n`);
    return { entries, headingTokens, share: shareOf(tier) };
  });
}

function render(chosen: readonly Candidate[], remark: string): string {
  const parts = sectionNames.flatMap((name) => {
    const own = chosen.filter(({ section }) => section === name);
    return own.length === 0
      ? []
      : [[heading(briefSections[name].title), ...own.map(({ text }) => text)].join("\n")];
  });
  return `${fenceAsData(introduction, [...parts, ...(remark === "" ? [] : [remark])].join("\n\n"))}\n`;
}

function heading(title: string): string {
  return `## ${title}`;
}

function leftOutLine(count: number): string {
  return `(${counted(count, "more record")} left out)`;
}

/** The best few records across all kinds. */
export function bestOfAll(candidates: readonly Candidate[]): Candidate[] {
  const weighted = (candidate: Candidate) => candidate.score * tierWeights[tierOf(candidate)];
  const ranked = bestFirst(
    candidates.filter(
      ({ section, kind }) => section !== "avoid" && section !== "reflections" && kind !== estimateKind,
    ),
  );
  const ofTier = (tier: string) => ranked.filter((candidate) => tierOf(candidate) === tier);
  return [
    ...ofTier("semantic").slice(0, best.semantic),
    ...ofTier("episodic").slice(0, best.episodic),
    ...ofTier("skills"),
  ]
    .toSorted((one, other) => weighted(other) - weighted(one))
    .slice(0, best.overall);
}

function bestFirst(candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted((one, other) => other.score - one.score);
}
