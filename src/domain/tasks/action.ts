import { inOneLine } from "./shell-line.js";

export const actionTypes = ["read", "write", "bash", "grep", "glob", "task", "edit"] as const;

export type ActionType = (typeof actionTypes)[number];

/** One tool call of the agent. Tools outside the known types have a name but no type. */
export interface Action {
  timestamp: string;
  iteration: number;
  type?: ActionType;
  tool: string;
  params: Record<string, unknown>;
  success: boolean;
  output?: string;
  error?: string;
  reasoning?: string;
  expected_outcome?: string;
}

export interface Milestone {
  timestamp: string;
  event: string;
  details?: string;
}

export function isActionType(word: string): word is ActionType {
  return (actionTypes as readonly string[]).includes(word);
}

/** Values of `params.from` in actions that Ralph recorded itself: edits found through Git, and checks it ran. */
export const workSources = { git: "git", check: "check" } as const;

/** Whether Ralph, not the agent, ran it to judge the work. */
export function isVerdict({ params }: Pick<Action, "params">): boolean {
  return params.from === workSources.check;
}

/** Whether Ralph recorded it, not the agent. */
export function isByRalph({ params }: Pick<Action, "params">): boolean {
  return params.from === workSources.git || params.from === workSources.check;
}

const editingTools = /^(?:write|edit|multiedit|notebookedit|apply_patch|str_replace\w*)$/i;

export function isEdit({ type, tool }: Pick<Action, "type" | "tool">): boolean {
  return editingTools.test(type ?? tool);
}

/** The path in an action's parameters, or the first one in its patch. */
export function pathOf({ params }: Pick<Action, "params">): string | undefined {
  const path = params.file_path ?? params.path ?? params.file ?? params.notebook_path;
  if (typeof path === "string" && path !== "") return path;
  const patch = patchOf({ params });
  return patch === undefined ? undefined : patchedFile.exec(patch)?.[1]?.trim();
}

const patchedFile = /^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/m;

/** The text of a patch, in any of the forms that agents use. */
export function patchOf({ params }: Pick<Action, "params">): string | undefined {
  const patch = [params.patch, params.input, params.diff].find((text) => typeof text === "string");
  if (typeof patch === "string") return patch;
  // Codex passes the patch to its hooks as the command.
  const { command } = params;
  return typeof command === "string" && command.startsWith(patchBegin) ? command : undefined;
}

const patchBegin = "*** Begin Patch";

/** The command that an action ran, as one line; for a longer script, its first command. */
export function commandOf({ params }: Pick<Action, "params">): string | undefined {
  return typeof params.command === "string" ? inOneLine(params.command.trim()) : undefined;
}

/** Like `commandOf`, but undefined for edits, which some agents pass as a command. */
export function ranCommand(action: Action): string | undefined {
  return isEdit(action) ? undefined : commandOf(action);
}

/** A call's main parameter: command, path or pattern; falls back to all parameters. */
export function subjectOf({ params }: Pick<Action, "params">): string {
  const patched = patchOf({ params }) === undefined ? undefined : pathOf({ params });
  const subject =
    patched ?? params.command ?? params.file_path ?? params.path ?? params.pattern ?? params.query;
  if (typeof subject === "string") return subject;
  return Object.keys(params).length === 0 ? "" : JSON.stringify(params);
}
