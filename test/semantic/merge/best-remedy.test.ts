import { describe, expect, it } from "vitest";
import type { SourceFigures, SourceRemedy } from "../../../src/domain/knowledge/learning.js";
import { bestRemedy, otherStatements } from "../../../src/semantic/merge/best-remedy.js";

const day = (number: number) => `2026-04-${String(number).padStart(2, "0")}T10:00:00.000Z`;
const source = (at: number, remedy?: SourceRemedy, inVain?: string[]): SourceFigures => ({
  confidence: 0.6,
  successRate: 0,
  count: 1,
  at: day(at),
  ...(remedy && { remedy }),
  ...(inVain && { inVain }),
});
const start = { text: "run `docker compose up -d redis`", gist: "docker compose up -d redis" };
const edit = { text: "change `a` to `b` in src/cache.ts", gist: "+b" };
const said = { text: "Give the cache a larger pool", gist: "larger pool", isSaid: true as const };

/** The best remedy, which must be the same in every order. */
function bestOf(...figures: SourceFigures[]): string | undefined {
  const found = new Set(permutations(figures).map((each) => bestRemedy(each)?.text));
  expect(found.size).toBe(1);
  return [...found][0];
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

describe("the best of several remedies", () => {
  it("is the one that helped most tasks, even if another one is newer", () => {
    expect(bestOf(source(1, start), source(2, start), source(9, edit))).toBe(start.text);
  });

  it("is the newest of equally frequent ones", () => {
    expect(bestOf(source(1, start), source(9, edit))).toBe(edit.text);
  });

  it("is what somebody put into words, of equally frequent ones", () => {
    expect(bestOf(source(1, said), source(9, edit))).toBe(said.text);
  });

  it("is none that was tried again later, in vain", () => {
    expect(bestOf(source(1, start), source(2, start), source(9, edit, [start.gist]))).toBe(edit.text);
    expect(bestOf(source(1, start, [edit.gist]), source(9, edit))).toBe(edit.text);
  });

  it("is one that failed once and helped again since", () => {
    expect(bestOf(source(1, start), source(2, edit, [start.gist]), source(3, start))).toBe(start.text);
  });

  it("has the wording with fewer steps, and the words of somebody rather than those of actions", () => {
    const longer = { text: `${start.text}, then run \`sleep 1\``, gist: start.gist };
    expect(bestOf(source(1, longer), source(2, start))).toBe(start.text);
    const spoken = { text: "Start redis with docker compose first", gist: start.gist, isSaid: true as const };
    expect(bestOf(source(1, spoken), source(2, start), source(3, start))).toBe(spoken.text);
  });

  it("is none where no source has one", () => {
    expect(bestOf(source(1), source(2, undefined, [edit.gist]))).toBeUndefined();
  });
});

describe("what somebody said about the same failure", () => {
  it("is told beside a remedy that is better known, unless it failed since", () => {
    const known = { "task-1": source(1, start), "task-2": source(2, start), "task-3": source(3, said) };
    expect(otherStatements(known)).toEqual([{ statement: said.text, source: "task-3" }]);
    expect(otherStatements({ ...known, "task-4": source(4, start, [said.gist]) })).toEqual([]);
  });
});
