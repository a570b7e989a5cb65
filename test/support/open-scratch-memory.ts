import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Memory } from "../../src/memory/memory.js";
import { openMemory } from "../../src/memory/open-memory.js";
import { teamStoreVariables } from "./postgres/team-store-variables.js";
import { scratchRepository } from "./scratch.js";

export interface ScratchOptions {
  root?: string;
  /** What `ralph.yml` says. */
  settings?: string;
  /** The time; it can be moved. */
  now?: { value: string };
  environment?: Record<string, string>;
}

/** The memory of a new repository, with a clock that the test moves. */
export async function openScratchMemory(options: ScratchOptions = {}): Promise<Memory> {
  const { root = scratchRepository(), settings, now, environment = {} } = options;
  if (settings !== undefined) writeFileSync(join(root, "ralph.yml"), settings);
  const memory = await openMemory({
    root,
    environment: {
      RALPH_HOME: join(root, ".home"),
      RALPH_TRUST: "1",
      ...teamStoreVariables(),
      ...environment,
    },
    ...(now && { clock: () => new Date(now.value) }),
  });
  onTestFinished(() => memory.close());
  return memory;
}

export const entries = (...raw: object[]) =>
  raw.map((entry) => ({ timestamp: "2026-01-01T00:00:00.000Z", ...entry }));

/** What tsc prints about one error. */
export const tscOutput = (
  file: string,
  line: number,
  message = "Type 'string' is not assignable to type 'number'.",
) => `${file}(${line},7): error TS2322: ${message}\n`;
