import { statementOf } from "../../../domain/knowledge/statement.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";

export const verifyCommand = defineCommand({
  summary: "verify the checksums of all learnings",
  description:
    "Exits with 1 on a mismatch: something other than Ralph changed a learning, and briefs do not show it.\n" +
    '"ralph learnings restore --altered" takes such learnings from a backup, --accept keeps one as it is.',
  arguments: [],
  options: {
    accept: {
      kind: "texts",
      placeholder: "ID",
      summary: "accept this altered learning as it is; repeatable",
    },
  },
  formats: ["table", "json"],
  examples: ["ralph learnings verify", "ralph learnings verify --accept learn-0a1b2c3d4e5f"],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory();
    for (const id of options.accept ?? []) {
      const learning = await memory.learnings.acceptAltered(id);
      terminal.talk(`accepted  ${learning.id}  ${oneLine(statementOf(learning))}\n`);
    }
    const verification = await memory.learnings.verify();
    if (format === "json") terminal.out(renderJson(verification));
    else if (verification.valid) {
      const { totalSize } = await memory.learnings.stats();
      terminal.out(`Verified ${counted(totalSize, "learning")}\n`);
    } else {
      terminal.out(`${verification.error}\n`);
      terminal.talk(
        '"ralph learnings restore --altered" takes them from a backup, "ralph learnings verify --accept <id>" keeps one as it is\n',
      );
    }
    return verification.valid ? 0 : 1;
  },
});
