import { RalphError } from "../../../domain/ralph-error.js";
import { type AgentName, agentNames, type Places, settingsBase } from "../../../setup/agent-files.js";
import { examineAgents } from "../../../setup/check-agents.js";
import type { FileChange } from "../../../setup/file-changes.js";
import { renderDiff, shortPath, writeChanges } from "../../../setup/file-changes.js";
import { findAgents } from "../../../setup/find-agents.js";
import { isNothing, type MergingPlan, planMerging, writeMerging } from "../../../setup/merge-driver.js";
import { otherRalph, programName } from "../../../setup/own-program.js";
import { planSetup, type SetupPlan, type SetupRequest } from "../../../setup/plan-setup.js";
import { suggest } from "../../../text/nearest.js";
import { redact } from "../../../text/secrets/redact.js";
import { defineCommand, wrongUse } from "../../framework/command.js";
import { flag } from "../../framework/options.js";
import { canPrompt, confirm } from "../../input/ask.js";
import { oneLine, renderJson } from "../../output/terminal/style.js";
import type { Terminal } from "../../output/terminal/terminal.js";
import { fitDiff } from "../../output/terminal/wrap.js";
import { noProject, placesOf } from "./agent-findings.js";
import { checkConnections } from "./check-connections.js";
import { checkMerging, describeMerging, isMergingWanted, notesTreeOf } from "./git-merging.js";

const setupNames = [...agentNames, "git"] as const;

export const setupCommand = defineCommand({
  summary: "connect coding agents and git: hooks, MCP server, skill, merging",
  description:
    "Shows what would be written into the agent's settings, asks, and writes it; everything else in those files stays as it\n" +
    'is. Without a name, it offers the agents that are installed, and git: with "git", notes are merged by their ids (ralph\n' +
    "merge-notes), which each clone needs once. Running it again changes nothing; --remove undoes exactly what was added.\n" +
    "--check reports what is connected, runs the hook for the start of a session, and says what the agent does\n" +
    "not trust yet: Codex asks you to review hooks, Gemini CLI to trust the folder. Exit code 1: nothing written, or a check\n" +
    "that found something missing.",
  arguments: [{ name: "agent", summary: setupNames.join(", "), isOptional: true, suggestions: setupNames }],
  options: {
    user: flag("in your own settings, for all projects, instead of the project's"),
    yes: flag("do not ask", "y"),
    "dry-run": flag("only show what would be written"),
    remove: flag("take out what was added"),
    check: flag("report what is connected, and whether it works"),
  },
  examples: [
    "ralph setup",
    "ralph setup claude --yes",
    "ralph setup codex --user --dry-run",
    "ralph setup --check",
    "ralph setup gemini --remove",
    "ralph setup git",
  ],
  async run({ arguments: [name], options, format, terminal, environment, openMemory }) {
    if (options.check && options.remove)
      throw wrongUse("--check changes nothing, so it does not go with --remove", "use one of the two");
    const memory = await openMemory();
    const { places, program } = placesOf(memory.project.root, environment);
    const isGitOnly = name === "git";
    const named = name === undefined || isGitOnly ? undefined : knownAgent(name);
    const notesTree = named !== undefined || options.user ? undefined : await notesTreeOf(memory);
    if (isGitOnly && notesTree === undefined)
      throw wrongUse(
        options.user
          ? "Each repository has its own merge driver (leave out --user)"
          : "Notes are not committed here: this is no working tree of git",
      );
    if (options.check) {
      const checked = notesTree === undefined ? undefined : await checkMerging(notesTree, program);
      const merging = checked && (isGitOnly || isMergingWanted(checked)) ? checked : undefined;
      const names = isGitOnly ? [] : named === undefined ? agentNames : [named];
      const isNamed = named !== undefined;
      const doubts = await noProject(memory);
      return checkConnections({ agents: names, isNamed, merging, doubts, places, program, format, terminal });
    }
    const action = options.remove ? "remove" : "add";
    const agents = isGitOnly
      ? []
      : named !== undefined
        ? [named]
        : options.remove
          ? agentNames
          : findAgents(places);
    const isNoneFound = agents.length === 0 && !isGitOnly;
    if (isNoneFound && notesTree === undefined)
      throw new RalphError("not-found", noneFound, { hint: nameOne });
    const scope = options.user ? "user" : "project";
    const request: SetupRequest = { agents, scope, action, places, program };
    // All of it first: a file that cannot be understood stops everything before anything is written.
    const plan = planSetup(request);
    const isForHere = scope === "project" && action === "add" && !isGitOnly;
    const here = {
      notes: [
        ...(isNoneFound ? [`${noneFound} (${nameOne})`] : isForHere ? await noProject(memory) : []),
        ...(action === "add" ? otherRalph(program, places) : []),
      ],
    };
    const merging =
      notesTree === undefined ? noMerging : await planMerging({ root: notesTree, program, action });
    const nothing = plan.changes.length === 0 && isNothing(merging);
    const write = async (changes: readonly FileChange[], merged: MergingPlan) => {
      // Folders above the base stay, also when they are empty.
      writeChanges(changes, { base: settingsBase(scope, places) });
      if (notesTree !== undefined) await writeMerging(notesTree, merged);
    };
    const mustAsk = !nothing && !options["dry-run"] && !options.yes;
    if (mustAsk && !(await canPrompt(terminal))) {
      terminal.talk("Error: Nothing was changed: not a terminal (use --yes to write, --dry-run to look)\n");
      return 1;
    }
    if (format === "json" && !mustAsk) {
      if (!nothing && !options["dry-run"]) await write(plan.changes, merging);
      terminal.out(
        renderJson({ ...toJson(plan, merging, here, places), written: !nothing && !options["dry-run"] }),
      );
      return 0;
    }
    showNotes(here, terminal);
    if (nothing) {
      showNotes(plan, terminal);
      showNotes(merging, terminal);
      const done = isNoneFound ? "Nothing was changed\n" : "Nothing to do: everything is there already\n";
      terminal.talk(options.remove ? "Nothing to take out\n" : done);
      return 0;
    }
    let isAnyWritten = false;
    const steps = mustAsk
      ? [...agents.map((agent) => [agent]), ["git" as const]]
      : [[...agents, "git" as const]];
    for (const part of steps) {
      const own = part.filter((each) => each !== "git");
      const step = mustAsk ? planSetup({ ...request, agents: own }) : plan;
      const merged = part.includes("git") ? merging : noMerging;
      showNotes(step, terminal);
      showNotes(merged, terminal);
      if (step.changes.length === 0 && isNothing(merged)) continue;
      const diffs = [
        ...step.changes.map((change) => diffOf(change, places)),
        ...describeMerging(merged).map(({ diff }) => diff),
      ];
      terminal.out(fitDiff(diffs.join("\n"), terminal.width));
      if (options["dry-run"]) continue;
      if (mustAsk && !(await confirm(`Write this for ${part.join(", ")}?`, terminal))) continue;
      await write(step.changes, merged);
      isAnyWritten = true;
    }
    if (options["dry-run"]) return 0;
    if (!isAnyWritten) {
      terminal.talk("Nothing was changed\n");
      return 1;
    }
    if (agents.length === 0)
      terminal.talk(action === "add" ? "Written. git merges notes by their ids here\n" : "Taken out\n");
    else if (action === "add") sayWhatIsNext(request, terminal);
    else terminal.talk("Taken out\n");
  },
});

const noneFound = "No coding agent was found on this machine";
const nameOne = `name one: ralph setup ${agentNames.join("|")}`;

const noMerging: MergingPlan = { attributes: [], config: [], notes: [] };

function knownAgent(name: string): AgentName {
  const known = agentNames.find((each) => each === name);
  if (known !== undefined) return known;
  throw wrongUse(`Unknown agent: ${name}`, suggest(name, setupNames));
}

/** Settings may hold keys, and agents keep what a command prints. */
function diffOf(change: FileChange, places: Places): string {
  return redact(renderDiff(change, shortPath(change.path, places))).text;
}

function showNotes({ notes }: Pick<SetupPlan, "notes">, terminal: Terminal): void {
  for (const note of notes) terminal.talk(`Note: ${oneLine(note)}\n`);
}

function sayWhatIsNext({ agents, places, program }: SetupRequest, terminal: Terminal): void {
  if (!program.isByName)
    terminal.talk(
      `Note: ${programName} is not on the PATH, so the full paths of this installation were written; they fit this machine only\n`,
    );
  for (const { doubts } of examineAgents(agents, places, program))
    for (const doubt of doubts) terminal.talk(`Note: ${doubt}\n`);
  terminal.talk("Written. ralph setup --check reports whether it works\n");
}

function toJson(
  { changes, notes }: SetupPlan,
  merging: MergingPlan,
  here: Pick<SetupPlan, "notes">,
  places: Places,
) {
  return {
    changes: [
      ...changes.map((change) => ({
        path: change.path,
        change: kindOf(change),
        diff: diffOf(change, places),
      })),
      ...describeMerging(merging).map(({ path, diff }) => {
        const change = merging.attributes.find((each) => each.path === path);
        return { path, change: change === undefined ? "edited" : kindOf(change), diff };
      }),
    ],
    notes: [...here.notes, ...notes, ...merging.notes],
  };
}

function kindOf({ before, after }: FileChange): "created" | "removed" | "edited" {
  return before === undefined ? "created" : after === undefined ? "removed" : "edited";
}
