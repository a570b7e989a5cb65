import { afterAll, beforeAll } from "vitest";
import { type ProcessSystem, useProcessSystem } from "../../src/processes/process-table.js";

/** The ways to look up processes that can be tried on this machine. */
export const processSystems: ProcessSystem[] = process.platform === "linux" ? ["proc", "ps"] : ["ps"];

/** Looks up processes in this way during a suite. */
export function lookUpProcessesBy(system: ProcessSystem): void {
  let before: ProcessSystem;
  beforeAll(() => {
    before = useProcessSystem(system);
  });
  afterAll(() => {
    useProcessSystem(before);
  });
}
