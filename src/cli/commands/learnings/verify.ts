import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const verifyCommand = defineCommand({
  summary: "verify the checksums of all learnings",
  description: 'Exits with 1 on a mismatch; "ralph learnings restore" restores the newest valid backup.',
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
      terminal.out(`Verified ${counted(totalSize, "learning")}\n`);
    } else {
      terminal.out(`${verification.error}\n`);
      terminal.talk('"ralph learnings restore" restores the newest valid backup\n');
    }
    return verification.valid ? 0 : 1;
  },
});
