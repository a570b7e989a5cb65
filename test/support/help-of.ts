import { findCommand } from "../../src/cli/framework/find-command.js";
import { renderCommandHelp, renderGroupHelp } from "../../src/cli/framework/help.js";

/** The help of a command or a group, in full width. */
export async function helpOf(words: readonly string[]): Promise<string> {
  const found = await findCommand(words);
  return "group" in found
    ? renderGroupHelp(found.path, found.group)
    : renderCommandHelp(found.path, found.command);
}
