import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const verifyCommand = defineCommand({
  summary: "compare every learning with its checksum",
  description:
    'Ends with 1 when one does not match; "ralph learnings restore" brings back the newest good backup.',
  arguments: [],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph learnings verify"],
  async run({ format, terminal, openMemory }) {
    const memory = await openMemory();
    const verification = await memory.learnings.verify();
    if (format === "json") terminal.out(renderJson(verification));
    else if (verification.valid) {
      const { totalSize } = await memory.learnings.stats();
      terminal.out(`${counted(totalSize, "learning")} as stored\n`);
    } else {
      terminal.out(`${verification.error}\n`);
      terminal.talk('"ralph learnings restore" brings back the newest good backup\n');
    }
    return verification.valid ? 0 : 1;
  },
});
