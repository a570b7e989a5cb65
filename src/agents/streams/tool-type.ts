import type { ActionType } from "../../domain/tasks/action.js";

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

/** The type of a tool by its name, if it has one. */
export function toolType(tool: string): ActionType | undefined {
  return types.get(tool.toLowerCase());
}
