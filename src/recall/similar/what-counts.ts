import { relatedTasks, similarTasks as weights } from "../weights.js";

/** Which evidence can make a task similar, beside its texts, files and errors. */
export interface WhatCounts {
  /** Being of the objective's family: records, kinds of work. */
  family: boolean;
  /** Being the same sentence but for a slot. */
  sentence: boolean;
}

/** More than any record, kind and sentence add up to, as log odds before those of the crowd. */
const mostOfFamily = 7.5;
const mostOfSentence = 2.1;

/**
 * The more tasks a store has, the more of them are alike by chance. In a large one a family or a sentence alone makes no task as
 * similar as anybody asks for, so that neither has to be looked at.
 */
export function whatCounts(records: number, leastSimilarity: number, hasVectors: boolean): WhatCounts {
  const crowd = crowdOf(records);
  const least = Math.min(leastSimilarity, relatedTasks.leastSimilarity, weights.estimate.near);
  const leastLogit = Math.log(least / (1 - least));
  const mayReach = (most: number) => hasVectors || most >= leastLogit;
  return {
    family: mayReach(mostOfFamily - weights.evidence.crowd * crowd),
    sentence: mayReach(mostOfSentence - weights.frame.crowd * crowd),
  };
}

/** How much larger than a small one a store is, as a logarithm. */
export function crowdOf(records: number): number {
  return Math.log(Math.max(1, records / weights.evidence.fewRecords));
}
