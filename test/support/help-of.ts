import { findCommand } from "../../src/cli/framework/find-command.js";
import { renderCommandHelp, renderGroupHelp } from "../../src/cli/framework/help.js";

/** The help of a command or a group, by default in full width. */
export async function helpOf(words: readonly string[], width?: number): Promise<string> {
  const { path, group, command } = await findCommand(words);
  return command === undefined
    ? renderGroupHelp(path, group, width)
    : renderCommandHelp(path, command, width);
}
