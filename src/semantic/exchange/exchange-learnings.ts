import { isDeepStrictEqual } from "node:util";
import type { Learning, LearningsDocument } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { mergeInto } from "../merge/merge-learnings.js";
import { findAltered, isIntact, isIntactRow } from "../records/checksum.js";
import { StatementIndex } from "../records/statement-index.js";
import {
  addLearning,
  removeLearning,
  replaceLearning,
  saveLearning,
  toRow,
} from "../records/write-learning.js";
import type { SemanticContext } from "../semantic-context.js";
import { checkLearnings, checkVersion, makeDocument } from "./learnings-document.js";

export interface Imported {
  added: number;
  /** Merged into an existing record with the same id or statement. */
  merged: number;
  /** Added nothing new. */
  unchanged: number;
  /** Deleted or rejected here earlier. */
  skipped: number;
}

/** All intact learnings in the published format, and the number of those whose type it does not support. */
export async function loadDocument({ store }: Pick<SemanticContext, "store">): Promise<{
  document: LearningsDocument;
  leftOut: number;
  altered: string[];
}> {
  const altered: string[] = [];
  const learnings: Learning[] = [];
  for (const row of await store.learnings.listRaw())
    if (isIntact(row)) learnings.push(JSON.parse(row.record) as Learning);
    else altered.push(row.id);
  const { lastUpdated } = await store.learnings.totals();
  return { ...makeDocument(learnings, lastUpdated ?? new Date(0).toISOString()), altered };
}

/**
 * Applies the changes made to a document since it was loaded (`before`); records that others added in the meantime stay.
 * With an empty `before`, nothing is removed.
 */
export async function saveDocument(
  { store, clock }: SemanticContext,
  document: LearningsDocument,
  before: readonly Learning[],
): Promise<void> {
  checkVersion(document.version);
  const learnings = checkLearnings(document.learnings);
  const known = new Map(before.map((learning) => [learning.id, learning]));
  const kept = new Set(learnings.map(({ id }) => id));
  await store.transaction(async (tx) => {
    for (const { id } of before) if (!kept.has(id)) await removeLearning(tx, id, clock().toISOString());
    for (const learning of learnings) await saveChange(tx, learning, known.get(learning.id));
  });
}

/** Saves the fields that differ from `before`, or the whole record without it. */
export async function saveChange(tx: Repositories, record: Learning, before?: Learning): Promise<void> {
  const learning = redactDeep(record);
  if (isDeepStrictEqual(before, learning)) return;
  await tx.learnings.forgetDeleted(learning.id);
  const current = (await tx.learnings.find(learning.id))?.learning;
  if (current === undefined) await addLearning(tx, learning);
  else if (before === undefined) await replaceLearning(tx, learning);
  else await saveLearning(tx, changeFields(current, before, learning));
}

/** Others may have changed other fields in the meantime, such as the use count. */
function changeFields(current: Learning, before: Learning, after: Learning): Learning {
  const fields = new Map<string, unknown>(Object.entries(current));
  for (const name of Object.keys(before)) if (!(name in after)) fields.delete(name);
  for (const [name, value] of Object.entries(after))
    if (!isDeepStrictEqual((before as unknown as Record<string, unknown>)[name], value))
      fields.set(name, value);
  return Object.fromEntries(fields) as unknown as Learning;
}

export interface JoinOptions {
  /** Whether a learning must stay separate, however alike another one is. */
  isApart?(id: string): boolean;
  /** Called for each, with the id of what it became part of. */
  onJoined?(learning: Learning, outcome: keyof Imported, id: string): void;
}

/**
 * Merges learnings of another store, matched by id, then by statement. What was deleted here stays deleted, what was altered
 * here is replaced.
 */
export async function joinLearnings(
  tx: Repositories,
  learnings: readonly Learning[],
  { isApart = () => false, onJoined = () => undefined }: JoinOptions = {},
): Promise<Imported> {
  const result: Imported = { added: 0, merged: 0, unchanged: 0, skipped: 0 };
  const known = (await tx.learnings.listAll()).filter(isIntactRow);
  const index = new StatementIndex(known.map(({ learning }) => learning));
  for (const learning of learnings.map(redactDeep)) {
    const joined = (outcome: keyof Imported, id = learning.id) => {
      result[outcome] += 1;
      onJoined(learning, outcome, id);
    };
    const row = await tx.learnings.find(learning.id);
    if (row !== undefined && !isIntactRow(row)) {
      await replaceLearning(tx, learning);
      index.add(learning);
      joined("merged");
      continue;
    }
    const same = row?.learning ?? findSame(index, learning, isApart);
    if (same === undefined) {
      if (await tx.learnings.wasDeleted(toRow(learning))) {
        joined("skipped");
        continue;
      }
      await addLearning(tx, learning);
      index.add(learning);
      joined("added");
      continue;
    }
    const merged = mergeInto(same, learning);
    if (isDeepStrictEqual(merged, same)) {
      joined("unchanged", same.id);
      continue;
    }
    await saveLearning(tx, merged);
    index.replace(merged);
    joined("merged", same.id);
  }
  return result;
}

/** Prefers a learning that is not superseded. */
function findSame(
  index: StatementIndex,
  learning: Learning,
  isApart: (id: string) => boolean,
): Learning | undefined {
  const same = index.listDuplicates(learning).filter(({ id }) => !isApart(id));
  return same.find(({ superseded_by: by }) => by === undefined) ?? same[0];
}

export type Verification = { valid: true } | { valid: false; error: string };

/** Compares every record with its stored checksum. */
export async function verifyLearnings({ store }: Pick<SemanticContext, "store">): Promise<Verification> {
  const altered = await findAltered(store);
  return altered.length === 0
    ? { valid: true }
    : { valid: false, error: `Checksum mismatch: ${altered.slice(0, 3).join(", ")}` };
}
