import { tmpdir } from "node:os";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  extractedTypes,
  type Learning,
  type LearningsDocument,
} from "../../../src/domain/knowledge/learning.js";
import { SemanticMemory } from "../../../src/memory/learnings/published-classes/semantic-memory.js";
import { joinLearnings } from "../../../src/semantic/exchange/exchange-learnings.js";
import { removeAllLearnings } from "../../../src/semantic/records/write-learning.js";
import { openStore } from "../../../src/store/open-store.js";
import { redactDeep } from "../../../src/text/secrets/redact.js";
import { scratchFolder } from "../../support/scratch.js";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const time = fc
  .date({ min: new Date("2025-01-01"), max: new Date("2027-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

const fields = {
  id: fc.string({ minLength: 1 }),
  type: fc.constantFrom(...extractedTypes),
  taskType: fc.string({ minLength: 1 }),
  content: fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Learning["content"]>,
  confidence: share,
  sourceLoops: fc.uniqueArray(fc.string({ minLength: 1 })),
  createdAt: time,
  updatedAt: time,
  useCount: fc.nat({ max: 1000 }),
  successRate: share,
};

const anyLearnings = fc.uniqueArray(fc.record(fields), { selector: ({ id }) => id, maxLength: 8 });

const documentOf = (learnings: Learning[]) => ({ version: "1.0.0", learnings }) as LearningsDocument;

describe("saving a document", () => {
  it("and loading it again keeps its checksum, whatever it contains", async () => {
    const folder = scratchFolder();
    const memory = new SemanticMemory(folder);
    await fc.assert(
      fc.asyncProperty(anyLearnings, async (learnings) => {
        await memory.clear();
        await memory.save(documentOf(learnings));
        const { checksum, stats } = await memory.load();
        // A field may by chance be called as passwords are.
        expect(checksum).toBe(memory.calculateChecksum(redactDeep(learnings)));
        expect(stats.totalLearnings).toBe(learnings.length);
        expect(await memory.verify()).toEqual({ valid: true });
      }),
      { numRuns: 50 },
    );
    await memory.close();
  });
});

/** Statements that are clearly duplicates of each other, or clearly not. */
const statements = ["Write tests first", "Read the logs", "Pin every dependency", "Ask before deleting"];

const related = fc.uniqueArray(
  fc.record({
    ...fields,
    id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h").map((letter) => `learn-${letter}`),
    type: fc.constant("strategy" as const),
    taskType: fc.constantFrom("feature", "bug-fix"),
    content: fc.constantFrom(...statements).map((description) => ({ description })),
    sourceLoops: fc.uniqueArray(fc.constantFrom("ralph-1", "ralph-2", "ralph-3"), { minLength: 1 }),
  }),
  { selector: ({ taskType, content }) => `${taskType} ${content.description}`, maxLength: 4 },
);

/** Realistic stores: an id always has the same statement. */
const pairs = fc
  .tuple(related, related)
  .map(([one, other]) => [one.map(withOwnId("one")), other.map(withOwnId("other"))] as const);

function withOwnId(store: string) {
  const numbers: Record<string, number> = { feature: 1, "bug-fix": 2 };
  return (learning: Learning): Learning => {
    const number = `${numbers[learning.taskType]}${statements.indexOf(learning.content.description ?? "")}`;
    // About half of the records have been exchanged before and have one id in both stores.
    const isShared = learning.id < "learn-e";
    return { ...learning, id: `learn-${number}${isShared ? "" : store}` };
  };
}

const store = openStore({ directory: tmpdir(), isInMemory: true });

/** The content of an empty store after joining these. */
async function joined(...stores: readonly (readonly Learning[])[]): Promise<Learning[]> {
  return (await store).transaction(async (tx) => {
    await removeAllLearnings(tx);
    for (const learnings of stores) await joinLearnings(tx, learnings);
    return (await tx.learnings.listAll()).map(({ learning }) => learning);
  });
}

/** The content of a store, sorted and without ids. */
function contentOf(learnings: readonly Learning[]) {
  const said = ({ taskType, content }: Pick<Learning, "taskType" | "content">) =>
    `${taskType} ${content.description}`;
  return learnings
    .map(({ id: _id, merged: _merged, ...learning }) => learning)
    .sort((one, other) => (said(one) < said(other) ? -1 : 1));
}

describe("joining two stores", () => {
  it("gives the same content in either order", async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async ([one, other]) => {
        expect(contentOf(await joined(one, other))).toEqual(contentOf(await joined(other, one)));
      }),
      { numRuns: 25 },
    );
  });

  it("a second time changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async ([one, other]) => {
        const once = await joined(one, other);
        expect(await joined(one, other, other)).toEqual(once);
        expect(await joined(one, other, one)).toEqual(once);
      }),
      { numRuns: 25 },
    );
  });

  it("leaves one record per statement", async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async ([one, other]) => {
        const said = (learnings: readonly Learning[]) => learnings.map(({ content }) => content.description);
        const all = said(await joined(one, other));
        expect(all.toSorted()).toEqual([...new Set([...said(one), ...said(other)])].toSorted());
      }),
      { numRuns: 25 },
    );
  });
});
