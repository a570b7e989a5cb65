import { lstatSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Environment, homeFolder } from "../domain/environment.js";
import { messageOf, RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { readTranscriptFile, recogniseTranscript } from "./read-transcript-file.js";
import type { Transcript, TranscriptAgent } from "./session.js";

export interface FoundTranscripts {
  transcripts: Transcript[];
  /** Files that are not transcripts of a known agent. */
  foreign: string[];
  /** Files that cannot be read, with the reason. */
  problems: string[];
}

const maxDepth = 12;

/** The transcripts in a file or a folder. Links inside it are not followed, and only regular files are opened. */
export async function findTranscripts(path: string): Promise<FoundTranscripts> {
  const found: FoundTranscripts = { transcripts: [], foreign: [], problems: [] };
  const stats = withFileErrors(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) throw new RalphError("not-found", `No such file or folder: ${path}`);
  for (const file of stats.isDirectory() ? filesBelow(path, maxDepth, found.problems) : [path]) {
    try {
      const transcripts = await transcriptsOf(file);
      if (transcripts.length === 0) found.foreign.push(file);
      found.transcripts.push(...transcripts);
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
      found.problems.push(error.message);
    }
  }
  return found;
}

function filesBelow(folder: string, depth: number, problems: string[]): string[] {
  if (depth === 0) return [];
  try {
    const entries = withFileErrors(folder, () => readdirSync(folder, { withFileTypes: true }));
    return entries
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return filesBelow(path, depth - 1, problems);
        return entry.isFile() && isNamedLikeOne(entry.name) ? [path] : [];
      });
  } catch (error) {
    problems.push(messageOf(error));
    return [];
  }
}

function isNamedLikeOne(name: string): boolean {
  return name.endsWith(".jsonl") || /^opencode.*\.db$/.test(name) || /session.*\.json$/.test(name);
}

async function transcriptsOf(path: string): Promise<Transcript[]> {
  const name = basename(path);
  if (name.endsWith(".db")) {
    const { listOpencodeSessions } = await import("./readers/opencode.js");
    return listOpencodeSessions(path);
  }
  const { mtimeMs, size } = withFileErrors(path, () => lstatSync(path));
  if (name.endsWith(".json")) {
    const { openOpencodeExport } = await import("./readers/opencode.js");
    return openOpencodeExport(path, { modifiedMs: mtimeMs, bytes: size });
  }
  const recognised = recogniseTranscript(path);
  if (recognised === undefined) return [];
  return [
    {
      ...recognised,
      ...{ modifiedMs: mtimeMs, bytes: size, path },
      read: (now, seen) => readTranscriptFile(path, recognised, now, seen),
    },
  ];
}

/** Where an agent stores its transcripts. */
export function transcriptFolders(agent: TranscriptAgent, environment: Environment): string[] {
  const home = homeFolder(environment);
  switch (agent) {
    case "claude":
      return [join(environment.CLAUDE_CONFIG_DIR || join(home, ".claude"), "projects")];
    case "codex": {
      const folder = environment.CODEX_HOME || join(home, ".codex");
      return [join(folder, "sessions"), join(folder, "archived_sessions")];
    }
    case "gemini":
      return [join(home, ".gemini", "tmp")];
    case "opencode":
      return [join(environment.XDG_DATA_HOME || join(home, ".local", "share"), "opencode", "opencode.db")];
  }
}
