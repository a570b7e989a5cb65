import { RalphError } from "../../../domain/ralph-error.js";
import type { Memory } from "../../../memory/memory.js";
import { resolveRecordId } from "../../../memory/resolve-record-id.js";
import { checkRelation } from "../../../semantic/records/link-records.js";
import { defineCommand } from "../../framework/command.js";
import { linkArguments } from "../../options/link-arguments.js";
import { renderLinks } from "../../output/links.js";
import { renderJson } from "../../output/terminal/json.js";

export const removeLinkCommand = defineCommand({
  summary: "remove a link",
  description: "From either end. A learning that was superseded by it is shown again.",
  arguments: linkArguments,
  options: {},
  formats: ["table", "json"],
  examples: ["ralph link remove learn-0a1b2c3d4e5f supersedes learn-5f4e3d2c1b0a"],
  async run({ arguments: [one = "", word = "", other = ""], format, terminal, openMemory }) {
    const relation = checkRelation(word);
    const memory = await openMemory();
    const link = { from: await idOf(memory, one), relation, to: await idOf(memory, other) };
    const [shown = ""] = renderLinks([link]);
    if (!(await memory.removeLink(link))) {
      throw new RalphError("not-found", `There is no link ${shown}`, {
        hint: '"ralph link list" shows those there are',
      });
    }
    terminal.out(format === "json" ? renderJson({ ...link, removed: true }) : `removed  ${shown}\n`);
    return 0;
  },
});

/** A record may be gone while its links are still there. */
async function idOf(memory: Memory, given: string): Promise<string> {
  try {
    return await resolveRecordId(memory, given);
  } catch (error) {
    if (error instanceof RalphError && error.code === "not-found") return given;
    throw error;
  }
}
