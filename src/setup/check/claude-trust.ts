import type { Places } from "../agents/agent-setup.js";
import { claudeSettingsFiles, claudeState } from "../agents/settings-files.js";
import { serverName } from "../plan/server-name.js";
import { shortPath } from "../plan/short-path.js";
import { readJsonSettings } from "./read-settings.js";

/** Claude Code starts a server of `.mcp.json` once the user has approved it. That is read here, never written. */
export function claudeDoubts(places: Places): string[] {
  const state = claudeState(places);
  const projects = Object(readJsonSettings(state).projects) as Record<string, unknown>;
  const answers = [
    ...claudeSettingsFiles(places).map((path) => ({ path, settings: readJsonSettings(path) })),
    { path: state, settings: Object(projects[places.root]) as Record<string, unknown> },
  ];
  const isNamed = (names: unknown) => [names].flat().includes(serverName);
  // A refusal anywhere counts more than any approval.
  const refusal = answers.find(({ settings }) => isNamed(settings.disabledMcpjsonServers));
  if (refusal !== undefined)
    return [
      `Claude Code does not start the server in .mcp.json: ${serverName} is in disabledMcpjsonServers in ${shortPath(refusal.path, places)}`,
    ];
  const isApproved = answers.some(
    ({ settings }) => settings.enableAllProjectMcpServers === true || isNamed(settings.enabledMcpjsonServers),
  );
  return isApproved
    ? []
    : ["Claude Code starts the server in .mcp.json once you approve it: start claude here"];
}
