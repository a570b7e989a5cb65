import { RalphError } from "../../../domain/ralph-error.js";
import { isProject } from "../../../memory/is-project.js";
import type { Memory } from "../../../memory/memory.js";

/** What to say in a folder where hooks do nothing, however well they are connected. */
export async function noProject(memory: Memory): Promise<string[]> {
  try {
    if (await isProject(memory)) return [];
  } catch (error) {
    // Wrong settings are told by what needs them.
    if (error instanceof RalphError) return [];
    throw error;
  }
  return [
    `hooks do nothing in ${memory.project.root}: it is no git repository, and no memory was set up in it (git init or ralph init)`,
  ];
}
