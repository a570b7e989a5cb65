import { describe, expect, it } from "vitest";
import { matchLessons } from "../../../src/semantic/extract/extract-from-task.js";
import type { Problem } from "../../../src/semantic/extract/task-record.js";

const problem = (message: string, remedy?: string, rest: Partial<Problem> = {}): Problem => ({
  key: message.toLowerCase(),
  aliases: [],
  isParticular: false,
  message,
  files: [],
  checks: ["npm test"],
  state: "solved",
  remedy: remedy === undefined ? undefined : { text: remedy, gist: remedy },
  inVain: [],
  episodes: [],
  ...rest,
});
const locked = problem("the ledger is locked by another process", "run `make unlock`");
const heap = problem("JavaScript heap out of memory", "change `512` to `4096` in Dockerfile");

const matchOf = (statement: string, ...problems: Problem[]) =>
  matchLessons([statement], problems).get(statement);

describe("what somebody said", () => {
  it("is about the problem whose words it shares, also those of its remedy", () => {
    expect(matchOf("Unlock the ledger before an import", locked, heap)).toBe(locked);
    expect(matchOf("Give the build more memory in the Dockerfile", locked, heap)).toBe(heap);
  });

  it("is about no problem when it shares nothing with one", () => {
    expect(matchOf("Parcels are weighed in grams", locked, heap)).toBeUndefined();
    expect(matchOf("Unlock the ledger before an import", { ...locked, state: "open" })).toBeUndefined();
  });

  it("is about the only problem of the task when its actions do not tell what helped", () => {
    const statement = "Wait for the nightly import to end";
    expect(matchOf(statement, problem("table is busy"))).toMatchObject({ message: "table is busy" });
    expect(matchOf(statement, problem("table is busy", "edit src/import.ts"))).toBeDefined();
    expect(matchOf(statement, problem("table is busy", "run `make unlock`"))).toBeUndefined();
    expect(matchOf(statement, problem("table is busy"), locked)).toBeUndefined();
    expect(matchOf("Read the code first", problem("table is busy"))).toBeUndefined();
  });
});
