import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Settings } from "../config/default-settings.js";
import { RalphError } from "../domain/ralph-error.js";
import {
  type AgentOutput,
  type AgentSetting,
  type BuiltInAgentName,
  builtInAgentNames,
  listAgentNames,
  type PromptInput,
  unknownAgent,
} from "../domain/tasks/agent.js";
import { findProgram } from "./find-program.js";

/** An agent as data: how to start it, pass its prompt, and read its output. */
export interface AgentDefinition {
  name: string;
  program: string;
  args: readonly string[];
  /** Appended unless everything is allowed. */
  carefulArgs: readonly string[];
  /** Appended instead, only at the user's request. */
  allowAllArgs: readonly string[];
  promptBy: PromptInput;
  output: AgentOutput;
  /** How to install it, if known. */
  installHint?: string;
}

const builtIn: Record<BuiltInAgentName, Omit<AgentDefinition, "name">> = {
  claude: {
    program: "claude",
    args: ["-p", "--output-format", "stream-json", "--verbose"],
    carefulArgs: ["--permission-mode", "acceptEdits"],
    allowAllArgs: ["--dangerously-skip-permissions"],
    promptBy: "stdin",
    output: "claude-stream-json",
    installHint: "npm install -g @anthropic-ai/claude-code",
  },
  codex: {
    program: "codex",
    args: ["exec", "--json", "--skip-git-repo-check", "-"],
    carefulArgs: ["--sandbox", "workspace-write"],
    allowAllArgs: ["--dangerously-bypass-approvals-and-sandbox"],
    promptBy: "stdin",
    output: "codex-json",
    installHint: "npm install -g @openai/codex",
  },
  gemini: {
    program: "gemini",
    args: ["--output-format", "stream-json"],
    carefulArgs: ["--approval-mode", "auto_edit"],
    allowAllArgs: ["--approval-mode", "yolo"],
    promptBy: "stdin",
    output: "gemini-stream-json",
    installHint: "npm install -g @google/gemini-cli",
  },
  opencode: {
    program: "opencode",
    args: ["run", "--format", "json"],
    carefulArgs: [],
    allowAllArgs: ["--auto"],
    promptBy: "stdin",
    output: "opencode-json",
    installHint: "npm install -g opencode-ai",
  },
};

/** All known agents, with their settings applied. */
export function listAgents(settings: Pick<Settings, "agents">): AgentDefinition[] {
  return listAgentNames(settings.agents).map((name) => define(name, settings.agents[name] ?? {}));
}

function define(name: string, setting: AgentSetting): AgentDefinition {
  const known: Omit<AgentDefinition, "name"> = isBuiltIn(name)
    ? builtIn[name]
    : { program: name, args: [], carefulArgs: [], allowAllArgs: [], promptBy: "stdin", output: "text" };
  const { installHint } = known;
  return {
    name,
    program: setting.program ?? known.program,
    args: setting.args ?? known.args,
    carefulArgs: setting.careful_args ?? known.carefulArgs,
    allowAllArgs: setting.allow_all_args ?? known.allowAllArgs,
    promptBy: setting.prompt ?? known.promptBy,
    output: setting.output ?? known.output,
    ...(installHint !== undefined && setting.program === undefined && { installHint }),
  };
}

function isBuiltIn(name: string): name is BuiltInAgentName {
  return (builtInAgentNames as readonly string[]).includes(name);
}

/** The command that runs an agent once, in a new session. */
interface AgentCommand {
  args: string[];
  /** Standard input; empty when the prompt is an argument. */
  input: string;
}

export function agentCommand(
  agent: AgentDefinition,
  prompt: string,
  { isAllAllowed }: { isAllAllowed: boolean },
): AgentCommand {
  const args = [...agent.args, ...(isAllAllowed ? agent.allowAllArgs : agent.carefulArgs)];
  if (agent.promptBy === "stdin") return { args, input: prompt };
  // Arguments cannot contain NUL.
  return { args: [...args, prompt.replaceAll("\0", "")], input: "" };
}

interface AgentPlace {
  /** Where the agent runs; relative paths of programs start here. */
  folder: string;
  /** The environment's PATH. */
  searchPath: string | undefined;
}

/** The named agent, or the first one installed, with the full path of its program. */
export function chooseAgent(
  name: string | undefined,
  settings: Pick<Settings, "agents" | "run.agent">,
  place: AgentPlace,
): AgentDefinition {
  const agents = listAgents(settings);
  const wanted = name ?? settings["run.agent"];
  if (wanted === "") return chooseInstalled(agents, place);
  const agent = agents.find((each) => each.name === wanted);
  if (agent === undefined) throw unknownAgent(wanted, settings.agents);
  const program = findProgram(agent.program, place);
  if (program === undefined) throw notInstalled(agent, place);
  return { ...agent, program };
}

function notInstalled({ name, program, installHint }: AgentDefinition, { folder }: AgentPlace): RalphError {
  const file = program.includes("/")
    ? statSync(resolve(folder, program), { throwIfNoEntry: false })
    : undefined;
  const unusable = (message: string, hint: string) => new RalphError("program-unusable", message, { hint });
  if (file?.isFile())
    return unusable(`Agent ${name} cannot run: ${program} is not executable`, `run "chmod +x ${program}"`);
  if (file !== undefined)
    return unusable(`Agent ${name} cannot run: ${program} is not a file`, "name the program in it");
  return unusable(
    `Agent ${name} is not installed: ${program} was not found`,
    installHint ?? `set its program under "agents:" in ralph.yml`,
  );
}

/** Agents from the settings come first: they were defined on purpose. */
function chooseInstalled(agents: readonly AgentDefinition[], place: AgentPlace): AgentDefinition {
  const isOwn = ({ installHint }: AgentDefinition) => installHint === undefined;
  for (const agent of [...agents.filter(isOwn), ...agents.filter((each) => !isOwn(each))]) {
    const program = findProgram(agent.program, place);
    if (program !== undefined) return { ...agent, program };
  }
  throw new RalphError("program-unusable", "No agent is installed", {
    hint:
      `install one of ${agents.map(({ name }) => name).join(", ")}, or define your own in ralph.yml: ` +
      "agents: { mine: { program: ./agent.sh } }",
  });
}
