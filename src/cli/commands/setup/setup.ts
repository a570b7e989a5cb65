import { RalphError } from "../../../domain/ralph-error.js";
import { type AgentName, agentNames, type Places } from "../../../setup/agents/agent-setup.js";
import { findAgents } from "../../../setup/agents/find-agents.js";
import { examineAgents } from "../../../setup/check/check-agents.js";
import type { FileChange } from "../../../setup/plan/open-files.js";
import { planSetup, type SetupPlan, type SetupRequest } from "../../../setup/plan/plan-setup.js";
import { renderDiff } from "../../../setup/plan/render-diff.js";
import { shortPath } from "../../../setup/plan/short-path.js";
import { writeChanges } from "../../../setup/plan/write-changes.js";
import { suggest } from "../../../text/nearest.js";
import { redact } from "../../../text/secrets/redact.js";
import { defineCommand } from "../../framework/command.js";
import { canPrompt } from "../../input/ask.js";
import { confirm } from "../../input/confirm.js";
import { renderJson } from "../../output/terminal/json.js";
import type { Terminal } from "../../output/terminal/terminal.js";
import { checkConnections } from "./check-connections.js";
import { placesOf } from "./places-of.js";

export const setupCommand = defineCommand({
  summary: "connect coding agents: hooks, MCP server and skill",
  description:
    "Shows what would be written into the agent's settings, asks, and writes it; everything else in those files stays as it\n" +
    "is. Without a name, it offers the agents that are installed. Running it again changes nothing; --remove undoes exactly\n" +
    "what was added. --check tells what is connected, runs the hook for the start of a session, and says what the agent does\n" +
    "not trust yet: Codex asks you to review hooks, Gemini CLI to trust the folder. Exit code 1: nothing written, or a check\n" +
    "that found something missing.",
  arguments: [{ name: "agent", summary: agentNames.join(", "), isOptional: true }],
  options: {
    user: { kind: "flag", summary: "in your own settings, for all projects, instead of the project's" },
    yes: { kind: "flag", short: "y", summary: "do not ask" },
    "dry-run": { kind: "flag", summary: "only show what would be written" },
    remove: { kind: "flag", summary: "take out what was added" },
    check: { kind: "flag", summary: "tell what is connected, and whether it works" },
  },
  formats: ["table", "json"],
  examples: [
    "ralph setup",
    "ralph setup claude --yes",
    "ralph setup codex --user --dry-run",
    "ralph setup --check",
    "ralph setup gemini --remove",
  ],
  async run({ arguments: [name], options, format, terminal, environment, openMemory }) {
    const { root } = (await openMemory()).project;
    const { places, program } = placesOf(root, environment);
    const named = name === undefined ? undefined : knownAgent(name);
    if (options.check) return checkConnections({ named, places, program, format, terminal });
    const action = options.remove ? "remove" : "add";
    const agents = named !== undefined ? [named] : options.remove ? agentNames : findAgents(places);
    if (agents.length === 0)
      throw new RalphError("not-found", "No coding agent was found on this machine", {
        hint: `name one: ralph setup ${agentNames.join("|")}`,
      });
    const scope = options.user ? "user" : "project";
    const request: SetupRequest = { agents, scope, action, places, program };
    // All of it first: a file that cannot be understood stops everything before anything is written.
    const plan = planSetup(request);
    const nothing = plan.changes.length === 0;
    const mustAsk = !nothing && !options["dry-run"] && !options.yes;
    if (mustAsk && !(await canPrompt(terminal))) {
      terminal.talk("Error: Nothing was changed: not a terminal (use --yes to write, --dry-run to look)\n");
      return 1;
    }
    if (format === "json" && !mustAsk) {
      if (!nothing && !options["dry-run"]) writeChanges(plan.changes, { base: baseOf(request) });
      terminal.out(renderJson({ ...toJson(plan, places), written: !nothing && !options["dry-run"] }));
      return 0;
    }
    if (nothing) {
      showNotes(plan, terminal);
      terminal.talk(
        options.remove ? "Nothing to take out\n" : "Nothing to do: everything is there already\n",
      );
      return 0;
    }
    let isAnyWritten = false;
    for (const part of mustAsk ? agents.map((agent) => [agent]) : [agents]) {
      const step = mustAsk ? planSetup({ ...request, agents: part }) : plan;
      showNotes(step, terminal);
      if (step.changes.length === 0) continue;
      terminal.out(step.changes.map((change) => diffOf(change, places)).join("\n"));
      if (options["dry-run"]) continue;
      if (mustAsk && !(await confirm(`Write this for ${part.join(", ")}?`, terminal))) continue;
      writeChanges(step.changes, { base: baseOf(request) });
      isAnyWritten = true;
    }
    if (options["dry-run"]) return 0;
    if (!isAnyWritten) {
      terminal.talk("Nothing was changed\n");
      return 1;
    }
    if (action === "add") sayWhatIsNext(request, terminal);
    else terminal.talk("Taken out\n");
    return 0;
  },
});

function knownAgent(name: string): AgentName {
  const known = agentNames.find((each) => each === name);
  if (known !== undefined) return known;
  throw new RalphError("wrong-use", `Unknown agent: ${name}`, { hint: suggest(name, agentNames) });
}

/** Folders above this stay, also when they are empty. */
function baseOf({ scope, places }: SetupRequest): string {
  return scope === "user" ? places.home : places.root;
}

/** Settings may hold keys, and agents keep what a command prints. */
function diffOf(change: FileChange, places: Places): string {
  return redact(renderDiff(change, shortPath(change.path, places))).text;
}

function showNotes({ notes }: SetupPlan, terminal: Terminal): void {
  for (const note of notes) terminal.talk(`Note: ${note}\n`);
}

function sayWhatIsNext({ agents, places, program }: SetupRequest, terminal: Terminal): void {
  if (!program.isByName)
    terminal.talk(
      "Note: ralph is not on the PATH, so the full paths of this installation were written; they fit this machine only\n",
    );
  for (const { doubts } of examineAgents(agents, places, program))
    for (const doubt of doubts) terminal.talk(`Note: ${doubt}\n`);
  terminal.talk("Written. ralph setup --check tells whether it works\n");
}

function toJson({ changes, notes }: SetupPlan, places: Places) {
  return {
    changes: changes.map((change) => ({
      path: change.path,
      change: change.before === undefined ? "created" : change.after === undefined ? "removed" : "edited",
      diff: diffOf(change, places),
    })),
    notes,
  };
}
