import { expect, it } from "vitest";
import { findPatterns } from "../../../src/semantic/extract/find-patterns.js";
import type { Episode } from "../../../src/semantic/extract/task-record.js";

const episode = (task: string, attempt: number, statement: string, succeeded = false): Episode => ({
  id: `${task}/${attempt}`,
  task_id: task,
  goal: "Import the parcels",
  succeeded,
  ended: `2026-06-0${attempt}T00:00:00.000Z`,
  statements: [statement],
  errors: [],
  files: [],
  git_commit: undefined,
});
const typesOf = (...episodes: Episode[]) => findPatterns(episodes).map(({ type }) => type);
const told = "The ledger rejects a parcel without a depot";

it("what attempts that failed say becomes a mistake when two tasks say it, not two attempts of one", () => {
  expect(typesOf(episode("task-001", 1, told), episode("task-001", 2, told))).toEqual([]);
  expect(typesOf(episode("task-001", 1, told), episode("task-002", 2, told))).toEqual(["antipattern"]);
});

it("what only recounts how attempts failed is no lesson, however often it is said", () => {
  const recounted = "In this attempt, I was unsuccessful.";
  expect(typesOf(episode("task-001", 1, recounted), episode("task-002", 2, recounted))).toEqual([]);
});

it("what a success says, too, is a pattern", () => {
  expect(typesOf(episode("task-001", 1, told), episode("task-001", 2, told, true))).toEqual(["pattern"]);
});
