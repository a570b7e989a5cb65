import { counted } from "../../../../text/counted.js";
import { defineCommand } from "../../../framework/command.js";
import { readDocument } from "../../../input/read-document.js";
import { renderJson } from "../../../output/terminal/json.js";

export const importLearningsCommand = defineCommand({
  summary: "read learnings from an exported document",
  description:
    "The checksum must match, and every learning must be valid: all are taken over, or none. One that is here already, by\n" +
    "its id or by what it says, is merged with it; what was deleted here stays deleted. A backup is made before.",
  arguments: [{ name: "file", summary: 'a document in JSON, or "-" for standard input' }],
  options: {},
  formats: ["table", "json"],
  examples: [
    "ralph learnings import ralph-learnings.json",
    "ralph learnings export --root ../other | ralph learnings import -",
  ],
  async run({ arguments: [file = ""], format, terminal, openMemory }) {
    const text = readDocument(file);
    const imported = await (await openMemory()).learnings.import(text);
    if (format === "json") terminal.out(renderJson(imported));
    else {
      const { added, merged, unchanged, skipped } = imported;
      const total = added + merged + unchanged + skipped;
      terminal.out(
        `${counted(total, "learning")} read: ${added} added, ${merged} merged, ${unchanged} known, ${skipped} deleted before\n`,
      );
    }
    return 0;
  },
});
