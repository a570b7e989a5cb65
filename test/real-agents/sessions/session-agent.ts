import type { InstallableAgent } from "../install-agent.js";
import type { ModelAnswer, ModelRequest, Protocol } from "../models/model-server.js";
import type { ScratchProject } from "../scratch-project.js";

/** What a test has to know of a program whose sessions get their memory by hooks. */
export interface SessionAgent {
  name: InstallableAgent;
  protocol: Protocol;
  /** Points the program to the model, and keeps it from everything else. */
  connect(project: ScratchProject, address: string): Record<string, string>;
  /** What somebody had in the project's settings before, by path. */
  settings: Readonly<Record<string, string>>;
  /** Files that it writes into the project itself. */
  ownFiles: readonly string[];
  /** Does once, after `ralph setup`, what the program asks of a user before it obeys the project's settings. */
  trust(place: SessionPlace): Promise<void> | void;
  /** The words with which it is asked something without a terminal. */
  ask(prompt: string): string[];
  /** What a user enters to compact its context, where a full one is not enough; what it says then, and how it is left. */
  compactsBy?: { args: string[]; command: string; answer: string; leave: string };
  /** Runs a command in its shell. */
  shell(command: string): NonNullable<ModelAnswer["call"]>;
  /** What it calls a tool of Ralph's server. */
  toolName(tool: string): string;
  /** What hooks have put into a request, and nothing else of it. */
  told(request: ModelRequest): string;
}

export interface SessionPlace {
  project: ScratchProject;
  program: string;
  environment: NodeJS.ProcessEnv;
}
