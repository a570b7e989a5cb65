import type { ExtractedLearning, Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { cacheCounts } from "../../search/count-words.js";
import { parseQuestion } from "../../search/question.js";
import { learningKind } from "../../search/record-kinds.js";
import { searchRecords } from "../../search/search-records.js";
import type { LearningRow } from "../../store/repositories/knowledge/learnings.js";
import type { Repositories } from "../../store/store.js";
import { unique } from "../../text/unique.js";
import { compareStatements, sameStatement } from "../../words/similarity.js";
import { statementWords } from "../../words/statement-words.js";
import { changedRow, isComparedByKey, learningDocument, statementKey, toRow } from "./write-learning.js";

/**
 * The learnings that findings are compared with, as they are after all that was decided so far. What was read is kept, so that
 * many findings can be looked up together, which takes a server a few answers instead of several for each; what is decided is
 * written at the end.
 */
export interface KnownLearnings {
  /** Reads together whatever says the same word for word. */
  readEqual(found: readonly ExtractedLearning[]): Promise<void>;
  /** Reads together whatever may say the same in other words, where nothing says it word for word. */
  readSimilar(found: readonly ExtractedLearning[]): Promise<void>;
  /** Learnings of the same type with the same key, current ones first; only estimates differ by task type. */
  listEqual(found: ExtractedLearning): Promise<Learning[]>;
  /** Current learnings of the same type with a similar statement, best match first; `isWide` finds those that share less. */
  listSimilar(found: ExtractedLearning, options?: { isWide?: boolean }): Promise<Learning[]>;
  /** Whether one that says the same was deleted. */
  wasDeleted(found: ExtractedLearning): Promise<boolean>;
  /** Adds a learning, or replaces the one with the same id. */
  put(learning: Learning): void;
  /** Writes what was put. */
  write(): Promise<void>;
}

const maxCandidates = 20;

export function knownLearnings(tx: Repositories): KnownLearnings {
  const lexical = cacheCounts(tx.lexical);
  const stored = new Map<string, LearningRow>();
  const put = new Map<string, Learning>();
  const equal = new Map<string, Promise<string[]>>();
  const similar = new Map<string, Promise<string[]>>();
  const deleted = new Map<string, Promise<boolean>>();

  const keep = (rows: readonly LearningRow[]): string[] => {
    for (const row of rows) if (!stored.has(row.learning.id)) stored.set(row.learning.id, row);
    return rows.map(({ learning }) => learning.id);
  };
  const current = (ids: Iterable<string>): Learning[] =>
    [...ids].flatMap((id) => put.get(id) ?? stored.get(id)?.learning ?? []);
  /** Those that were read, then those that were put meanwhile. */
  const withPut = (ids: readonly string[]) => current(new Set([...ids, ...put.keys()]));

  const readKeys = async (keys: readonly string[]): Promise<void> => {
    const unread = unique(keys).filter((key) => !equal.has(key));
    if (unread.length === 0) return;
    const reading = tx.learnings.listByLikenesses(unread);
    for (const key of unread)
      equal.set(
        key,
        reading.then((rows) => keep(rows.filter(({ likeness }) => likeness === key))),
      );
    await reading;
  };

  const search = async (found: ExtractedLearning, isWide: boolean): Promise<string[]> => {
    const hits = await searchRecords(lexical, {
      question: parseQuestion(statementOf(found)),
      kind: learningKind,
      sources: [""],
      labelGroups: [[`type:${found.type}`], ["state:shown"]],
      limit: maxCandidates,
      // Duplicates share their rarest words.
      enough: isWide ? maxCandidates : 1,
      isExact: true,
    });
    const ids = hits.map(({ id }) => id);
    keep(await tx.learnings.listByIds(ids.filter((id) => !stored.has(id))));
    return ids;
  };

  const known: KnownLearnings = {
    async readEqual(found) {
      // How large the index is must be known for any search.
      await Promise.all([readKeys(found.map(statementKey)), lexical.estimateDocuments(learningKind)]);
    },
    async readSimilar(found) {
      await Promise.all(
        found.map(async (each) => {
          if (!isComparedByKey(each) && (await known.listEqual(each)).length === 0)
            await known.listSimilar(each);
        }),
      );
    },
    async listEqual(found) {
      const key = statementKey(found);
      await readKeys([key]);
      return withPut((await equal.get(key)) ?? [])
        .filter(
          (learning) =>
            learning.type === found.type &&
            (found.type !== "estimate" || learning.taskType === found.taskType) &&
            (!put.has(learning.id) || statementKey(learning) === key),
        )
        .sort((one, other) => Number(isSuperseded(one)) - Number(isSuperseded(other)));
    },
    async listSimilar(found, { isWide = false } = {}) {
      const key = `${found.type} ${isWide} ${statementOf(found)}`;
      const searching = similar.get(key) ?? search(found, isWide);
      similar.set(key, searching);
      return withPut(await searching).filter(
        (learning) => learning.type === found.type && !isSuperseded(learning),
      );
    },
    wasDeleted(found) {
      const { type, taskType } = found;
      const likeness = statementKey(found);
      const key = `${type} ${taskType} ${likeness}`;
      const asking = deleted.get(key) ?? tx.learnings.wasDeleted({ learning: { type, taskType }, likeness });
      deleted.set(key, asking);
      return asking;
    },
    put(learning) {
      put.set(learning.id, learning);
    },
    async write() {
      if (put.size === 0) return;
      for (const [id, learning] of put) {
        const before = stored.get(id);
        if (before === undefined) await tx.learnings.add(toRow(learning));
        else await tx.learnings.save(changedRow(before, learning));
      }
      await tx.lexical.putAll([...put.values()].map(learningDocument));
    },
  };
  return known;
}

function isSuperseded({ superseded_by: newer }: Learning): boolean {
  return newer !== undefined;
}

/**
 * The learning of the same type that says the same, preferably one that is not superseded. Different failures are never the
 * same, however alike their messages.
 */
export async function findDuplicate(
  known: KnownLearnings,
  found: ExtractedLearning,
): Promise<Learning | undefined> {
  const [equal] = await known.listEqual(found);
  if (equal !== undefined || isComparedByKey(found)) return equal;
  const bag = statementWords(statementOf(found));
  for (const candidate of await known.listSimilar(found)) {
    if (isComparedByKey(candidate)) continue;
    if (compareStatements(bag, statementWords(statementOf(candidate))) >= sameStatement) return candidate;
  }
  return undefined;
}
