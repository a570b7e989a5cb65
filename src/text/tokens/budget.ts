/** Something to put into a prompt, whole or not at all. */
export interface BudgetEntry {
  tokens: number;
}

export interface BudgetSection<Entry extends BudgetEntry> {
  /** Best first. */
  entries: readonly Entry[];
  /** Tokens of its heading, spent once when it has any entry. */
  headingTokens: number;
  /** Its part of the budget relative to the other sections. */
  share: number;
}

/**
 * Chooses the entries of each section that fit into a budget. Every section first gets its share; what one does not
 * use flows to the others. An entry that is too large is passed over, later ones may still fit.
 */
export function fitIntoBudget<Entry extends BudgetEntry>(
  sections: readonly BudgetSection<Entry>[],
  budgetTokens: number,
): Entry[][] {
  const chosen = sections.map(() => new Set<Entry>());
  let left = budgetTokens;
  const take = (index: number, allowance: number, count = Number.POSITIVE_INFINITY): number => {
    const section = sections[index];
    const own = chosen[index];
    if (section === undefined || own === undefined) return 0;
    let spent = 0;
    let taken = 0;
    for (const entry of section.entries) {
      if (taken === count) break;
      const cost = entry.tokens + (own.size === 0 ? section.headingTokens : 0);
      if (own.has(entry) || spent + cost > allowance) continue;
      own.add(entry);
      spent += cost;
      taken += 1;
    }
    return spent;
  };
  const filled = sections.filter((section) => section.entries.length > 0);
  const totalShare = filled.reduce((sum, section) => sum + section.share, 0);
  for (const [index, section] of sections.entries()) {
    if (section.entries.length > 0)
      left -= take(index, Math.floor((budgetTokens * section.share) / totalShare));
  }
  // What is left goes first to sections that got nothing, one entry each, so that none starves beside a full one.
  for (const index of sections.keys()) if (chosen[index]?.size === 0) left -= take(index, left, 1);
  const hungriestFirst = [...sections.keys()].sort((a, b) => (chosen[a]?.size ?? 0) - (chosen[b]?.size ?? 0));
  for (const index of hungriestFirst) left -= take(index, left);
  return sections.map((section, index) => section.entries.filter((entry) => chosen[index]?.has(entry)));
}
