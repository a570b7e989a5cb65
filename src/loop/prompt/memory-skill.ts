import type { Settings } from "../../config/default-settings.js";

const storing = `### Storing new memories

When you learn something that the next session should know, store it:

    ralph-memory memory add "<what you learned>" --type pattern|decision|fix|context --tags <tag>,<tag>

- pattern: how this codebase does things · decision: why something was chosen
- fix: what solved a problem that may come back · context: anything else about this project

For example:

    ralph-memory memory add "API routes use kebab-case, handlers use camelCase" --type pattern --tags api,naming
    ralph-memory memory add "CORS errors mean that the nginx config needs an update" --type fix --tags nginx,cors

Be specific, say why, reuse existing tags, and store one idea per memory.`;

const searching = `### Searching

    ralph-memory memory search "authentication"
    ralph-memory memory search --type fix --tags docker "connection refused"
    ralph-memory recall "what you are about to do"`;

/** Teaches the agent to use the memory; empty if disabled in the settings. */
export function memorySkill(settings: Settings): string {
  const { "memories.inject": inject } = settings;
  if (!settings["memories.enabled"] || !settings["memories.skill_injection"] || inject === "none") return "";
  const reading =
    inject === "auto"
      ? "What is relevant to this task is included above, as background data. Search for more when you need it."
      : "None of it is included here: search it before you start, and whenever you hit a problem that may have come up before.";
  return `## Using project memories\n\nThis project has a memory that lasts across sessions. ${reading}\n\n${searching}\n\n${storing}`;
}
