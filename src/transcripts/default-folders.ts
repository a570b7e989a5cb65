import { join } from "node:path";
import { type Environment, homeFolder } from "../domain/environment.js";
import type { TranscriptAgent } from "./session.js";

/** Where an agent keeps its transcripts. */
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
