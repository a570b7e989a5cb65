import { isObject } from "../../domain/shape.js";
import type { ActionType } from "../../domain/tasks/action.js";
import { clipDeep } from "../../text/secrets/clip-output.js";

const maxDepth = 20;
/** Other agents' names for the file path. */
const pathNames = ["filePath", "absolute_path", "target_file"];

/** opencode's names for the parts of an edit and for a patch. */
const otherNames = new Map([
  ["oldString", "old_string"],
  ["newString", "new_string"],
  ["patchText", "patch"],
]);

/** A tool's parameters with long texts clipped, depth limited, and what an edit is about under one name. */
export function toolParams(value: unknown): Record<string, unknown> {
  if (!isObject(value)) return value === undefined || value === null ? {} : { value: shallow(value) };
  const clipped = Object.entries(clipDeep(shallow(value)) as Record<string, unknown>);
  const params = Object.fromEntries(clipped.map(([name, field]) => [otherNames.get(name) ?? name, field]));
  const path = pathNames.map((name) => params[name]).find((each) => typeof each === "string");
  return path === undefined || params.file_path !== undefined ? params : { file_path: path, ...params };
}

function shallow(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => shallow(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shallow(field, depth + 1)]));
}

/** Tool names of different agents, by type. */
const toolNames: Record<ActionType, readonly string[]> = {
  read: ["read", "read_file", "read_many_files", "notebookread"],
  write: ["write", "write_file"],
  bash: ["bash", "shell", "run_shell_command", "command_execution", "local_shell"],
  grep: ["grep", "grep_search", "search_file_content"],
  glob: ["glob", "list_files"],
  task: ["task", "agent"],
  edit: [
    "edit",
    "multiedit",
    "notebookedit",
    "replace",
    "patch",
    "apply_patch",
    "file_change",
    "str_replace",
  ],
};

const types = new Map(
  Object.entries(toolNames).flatMap(([type, names]) => names.map((name) => [name, type as ActionType])),
);

/** The type of a tool by its name, if known. */
export function toolType(tool: string): ActionType | undefined {
  return types.get(tool.toLowerCase());
}

/** The command inside `/bin/bash -lc '…'`, in which some agents wrap commands. */
export function unwrapShell(command: string): string {
  const inner = /^(?:\/\S*\/)?(?:ba|z|da|k)?sh -l?c ([\s\S]+)$/.exec(command)?.[1];
  if (inner === undefined) return command;
  const words = unquote(inner);
  return words ?? command;
}

/** A single shell word without its quotes; undefined for several words or an unclosed quote. */
function unquote(text: string): string | undefined {
  const parts = /^(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\])+$/.test(text)
    ? text.match(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\]+/g)
    : null;
  return parts
    ?.map((part) => {
      if (part.startsWith("'")) return part.slice(1, -1);
      if (part.startsWith('"')) return part.slice(1, -1).replace(/\\([$`"\\\n])/g, "$1");
      return part.startsWith("\\") ? part.slice(1) : part;
    })
    .join("");
}

/** The output of a command and how it ended. */
interface CommandResult {
  output: string;
  /** Such as `Exit code 2`; empty for a success, undefined if unknown. */
  fault?: string;
}

const wrapper = /^<untrusted_context>\n|\n<\/untrusted_context>$/g;
const head = /^(?:Command: [\s\S]*?\nDirectory: .*\n)?Output: /;
const ending = /^\(?(?:Exit Code|Signal|Background PIDs|Process Group PGID): |^Error: \(none\)$/;
const failing = /^\(?(?:Exit Code: -?[1-9]\d*|Signal: (?!\(none\)|0$)[^)]+)\)?$/;

/** The output of a command without the lines that Gemini CLI and Qwen Code add around it. */
export function unwrapOutput(text: string): CommandResult {
  const inner = text.replace(wrapper, "");
  if (!head.test(inner)) return { output: inner };
  const lines = inner.replace(head, "").split("\n");
  const last = lines.findLastIndex((line, index) => index === 0 || !ending.test(line));
  const printed = lines.slice(0, last + 1).join("\n");
  const failure = lines.slice(last + 1).find((line) => failing.test(line)) ?? "";
  return {
    output: printed === "(empty)" ? "" : printed,
    fault: failure
      .replace(/^\(|\)$/g, "")
      .replace("Exit Code: ", "Exit code ")
      .replace("Signal: ", "Signal "),
  };
}

/** A command's end and output as one text. */
export function describeResult({ output, fault = "" }: CommandResult): string {
  return [fault, output].filter((part) => part !== "").join("\n");
}
