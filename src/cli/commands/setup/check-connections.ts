import type { AgentName, Places } from "../../../setup/agent-files.js";
import { type AgentState, examineAgents, isConnected, type PartState } from "../../../setup/check-agents.js";
import { shortPath } from "../../../setup/file-changes.js";
import type { OwnProgram } from "../../../setup/own-program.js";
import { type HookTrial, tryHook } from "../../../setup/try-hook.js";
import type { Format } from "../../framework/command.js";
import { oneLine, renderJson } from "../../output/terminal/style.js";
import type { Terminal } from "../../output/terminal/terminal.js";
import { partTitles } from "./agent-findings.js";
import { type CheckedMerging, describeChecked, isMergingFine } from "./git-merging.js";

interface CheckOptions {
  agents: readonly AgentName[];
  /** Agents that are not connected are told, too. */
  isNamed: boolean;
  /** The merging of notes, if it matters here. */
  merging: CheckedMerging | undefined;
  /** Why hooks do nothing here, whichever agent calls them. */
  doubts: readonly string[];
  places: Places;
  program: OwnProgram;
  format: Format;
  terminal: Terminal;
}

interface CheckedAgent extends AgentState {
  trials: { command: string; trial: HookTrial }[];
}

/** Tells what is connected, and runs the hooks of those agents. Returns the exit code. */
export async function checkConnections({
  agents: names,
  isNamed,
  merging,
  doubts,
  places,
  program,
  format,
  terminal,
}: CheckOptions): Promise<number> {
  const states = examineAgents(names, places, program);
  const agents: CheckedAgent[] = [];
  for (const state of states.filter((each) => isNamed || isConnected(each))) {
    const trials: CheckedAgent["trials"] = [];
    for (const command of state.startHooks)
      trials.push({ command, trial: await tryHook(command, { agent: state.agent, places, program }) });
    agents.push({ ...state, trials });
  }
  const open = agents.some(hasHooks) ? doubts : [];
  const areMissing = names.length > 0 && agents.length === 0;
  if (format === "json")
    terminal.out(
      renderJson([
        ...agents.map((agent) => toJson(agent, hasHooks(agent) ? open : [])),
        ...(merging ? [{ agent: "git", ...merging }] : []),
      ]),
    );
  else {
    const sections = [
      ...agents.map((agent) => describe(agent, places)),
      ...(merging ? [describeChecked(merging)] : []),
      ...open.map((doubt) => `! ${oneLine(doubt)}\n`),
    ];
    terminal.out(sections.join("\n"));
    if (areMissing) terminal.talk("No agent is connected (ralph setup)\n");
  }
  const isMerged = merging === undefined || isMergingFine(merging);
  return !areMissing && open.length === 0 && agents.every(isFine) && isMerged ? 0 : 1;
}

function hasHooks({ parts, plugin }: AgentState): boolean {
  return plugin !== undefined || parts.some(({ part }) => part === "hooks" || part === "plugin");
}

function isFine(agent: CheckedAgent): boolean {
  return (
    isConnected(agent) &&
    agent.doubts.length === 0 &&
    agent.parts.every(({ state }) => isGood(state)) &&
    agent.trials.every(({ trial }) => trial.kind === "fired")
  );
}

/** What somebody wrote or changed by hand is theirs to judge. */
function isGood(state: PartState["state"]): boolean {
  return state === "current" || state === "kept";
}

function describe(agent: CheckedAgent, places: Places): string {
  const { title, parts, plugin, doubts, trials } = agent;
  const lines = parts.map(({ part, path, state, detail }) => {
    const said = {
      current: "",
      older: " (from another version or place: ralph setup replaces it)",
      kept: " (written or edited by hand: ralph setup leaves it as it is)",
      unreadable: ` (${detail})`,
    }[state];
    return `${isGood(state) ? "✓" : "!"} ${partTitles[part].padEnd(9)} ${shortPath(path, places)}${said}`;
  });
  if (plugin !== undefined) lines.push(`✓ plugin    ${shortPath(plugin, places)}`);
  if (!isConnected(agent)) lines.push(`✗ not connected (ralph setup ${agent.agent})`);
  for (const { command, trial } of trials) {
    if (trial.kind === "fired")
      lines.push(
        `✓ fires     ${command}: ${trial.elapsedMs.toFixed(0)} ms, ${trial.contextCharacters} characters of memory`,
      );
    else lines.push(`${trial.kind === "failed" ? "✗ fails  " : "! not run"}   ${command}: ${trial.reason}`);
  }
  lines.push(...doubts.map((doubt) => `! ${doubt}`));
  return `${title}\n${lines.map((line) => `  ${oneLine(line)}\n`).join("")}`;
}

function toJson({ agent, parts, plugin, doubts, trials }: CheckedAgent, open: readonly string[]) {
  return {
    agent,
    parts: parts.map(({ part, scope, path, state, detail }) => ({ part, scope, path, state, detail })),
    plugin: plugin ?? null,
    hooks: trials.map(({ command, trial }) => ({ command, ...trial })),
    doubts: [...doubts, ...open],
  };
}
